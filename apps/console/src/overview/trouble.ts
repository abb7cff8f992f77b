import type { MapSite } from '@voltdeck/contract/overview';

/** How much a site needs attention: fault, offline, full, then busy, then idle. */
const urgency: Readonly<Record<MapSite['state'], number>> = { fault: 0, offline: 1, busy: 2, charging: 3, free: 4 };

/** Sorted by trouble, then by the number of faulty and offline ports, then by name in the reader's language. */
export function byTrouble(language: string): (a: MapSite, b: MapSite) => number {
  const collator = new Intl.Collator(language, { numeric: true });
  return (a, b) =>
    urgency[a.state] - urgency[b.state] ||
    b.connectors.fault - a.connectors.fault ||
    b.connectors.offline - a.connectors.offline ||
    collator.compare(a.name, b.name);
}

export function connectorCount(site: Pick<MapSite, 'connectors'>): number {
  const { free, occupied, fault, offline } = site.connectors;
  return free + occupied + fault + offline;
}

/** Whether a site's name or address contains every word. */
export function matchesText(site: Pick<MapSite, 'name' | 'address'>, text: string): boolean {
  const haystack = `${site.name} ${site.address}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

export type Comparison = { kind: 'none' } | { kind: 'same' } | { kind: 'up' | 'down'; percent: number };

/** Today compared with the same span of yesterday, in whole percent. Without a yesterday there is no comparison. */
export function compare(today: number, yesterday: number): Comparison {
  if (yesterday <= 0) return { kind: 'none' };
  const percent = Math.round(((today - yesterday) / yesterday) * 100);
  if (percent === 0) return { kind: 'same' };
  return { kind: percent > 0 ? 'up' : 'down', percent: Math.abs(percent) };
}
