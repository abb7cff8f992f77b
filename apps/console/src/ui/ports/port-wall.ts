import type { Connector } from '@voltdeck/contract/connectors';
import type { SiteId } from '@voltdeck/units/id';

export type SitePorts<Port> = { siteId: SiteId; siteName: string; ports: Port[] };

/** Ports grouped by site in list order, sorted by station and port number within a site. */
export function bySite<Port extends Pick<Connector, 'siteId' | 'siteName' | 'stationNumber' | 'number'>>(
  ports: readonly Port[],
): SitePorts<Port>[] {
  const sites = new Map<number, SitePorts<Port>>();
  for (const port of ports) {
    const site = sites.get(port.siteId) ?? { siteId: port.siteId, siteName: port.siteName, ports: [] };
    site.ports.push(port);
    sites.set(port.siteId, site);
  }
  for (const site of sites.values()) {
    site.ports.sort((a, b) => a.stationNumber.localeCompare(b.stationNumber, 'en') || a.number - b.number);
  }
  return [...sites.values()];
}

/** Whole minutes since an ISO instant; null if it is unknown. A clock that is ahead gives zero. */
export function minutesSince(iso: string | null, nowMs: number): number | null {
  return iso === null ? null : Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 60_000));
}
