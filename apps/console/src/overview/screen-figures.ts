import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import type { ScreenRanking, ScreenSite } from '@voltdeck/contract/big-screen';
import { type Instant, parseIso, shanghaiDate, shanghaiDateTime } from '@voltdeck/units/instant';
import { type SiteOnMap, siteStates } from './site-map-states.ts';

/** The number of sites per state; every state is present. */
export function tallyStates(sites: readonly Pick<SiteOnMap, 'state'>[]): Record<SiteMapState, number> {
  const tally = Object.fromEntries(siteStates.map((state) => [state, 0])) as Record<SiteMapState, number>;
  for (const { state } of sites) tally[state] += 1;
  return tally;
}

/** Date with weekday, and time to the second, in Asia/Shanghai. */
export function clockText(at: Instant, language: string): [day: string, time: string] {
  const [day = '', time = ''] = shanghaiDateTime(at).split(' ');
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(at);
  return [`${day} ${weekday}`, time];
}

/** When something happened, as short as it is clear: the time today, with the date before. In Asia/Shanghai. */
export function whenText(iso: string, now: Instant): string {
  const at = parseIso(iso);
  if (at === null) return '';
  const [day = '', time = ''] = shanghaiDateTime(at).split(' ');
  if (day === shanghaiDate(now)) return time;
  const isThisYear = day.slice(0, 4) === shanghaiDate(now).slice(0, 4);
  return isThisYear ? `${day.slice(5)} ${time.slice(0, 5)}` : day;
}

/** What a ranking ranks by. */
export const rankedValue: Readonly<Record<ScreenRanking, (site: ScreenSite) => number>> = {
  receivable: ({ receivableFen }) => receivableFen,
  energy: ({ energyWh }) => energyWh,
  orders: ({ orders }) => orders,
};

/** The ranking after this one. */
export function nextRanking(by: ScreenRanking, all: readonly ScreenRanking[]): ScreenRanking {
  return all[(all.indexOf(by) + 1) % all.length] ?? by;
}

/** Instants of samples from the first on, with what was seen; null is a gap. Watts become kilowatts. */
export function samplePoints(
  fromMs: number,
  everyMs: number,
  valuesW: readonly (number | null)[],
): [atMs: number, kw: number | null][] {
  return valuesW.map((valueW, index) => [fromMs + index * everyMs, valueW === null ? null : valueW / 1_000]);
}
