import type { PartnerSite } from '@voltdeck/charging/partner-site';

/** What a page told more than once. */
export type Double = { field: 'StationID' | 'EquipmentID' | 'ConnectorID'; code: string };

/**
 * The sites of a page with nothing told twice: of sites with one code, stations of a site with one code, and gun ports
 * of the whole page with one code, the last counts, as it does between pages. The order stays.
 */
export function takeLastTold(told: readonly PartnerSite[]): { sites: PartnerSite[]; doubles: Double[] } {
  const doubles: Double[] = [];
  /** Backwards, so that the last comes first. */
  const lastOf = <Item extends { id: string }>(
    items: readonly Item[],
    field: Double['field'],
    codes = new Set<string>(),
  ): Item[] =>
    items.toReversed().filter(({ id }) => {
      if (!codes.has(id)) return codes.add(id);
      doubles.push({ field, code: id });
      return false;
    });
  const portCodes = new Set<string>();
  const sites = lastOf(told, 'StationID')
    .map((site) => ({
      ...site,
      stations: lastOf(site.stations, 'EquipmentID')
        .map((station) => ({ ...station, ports: lastOf(station.ports, 'ConnectorID', portCodes).toReversed() }))
        .toReversed(),
    }))
    .toReversed();
  return { sites, doubles };
}
