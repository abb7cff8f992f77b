import type { PartnerSite } from '@voltdeck/charging/partner-site';

/** What a page told more than once. */
export type Double = { field: 'StationID' | 'EquipmentID' | 'ConnectorID'; code: string };

/**
 * The sites of a page with nothing told twice: of sites with one code, stations of a site with one code, and gun ports
 * of the whole page with one code, the last counts, as it does between pages. The order stays.
 */
export function takeLastTold(told: readonly PartnerSite[]): { sites: PartnerSite[]; doubles: Double[] } {
  const doubles: Double[] = [];
  const portCodes = new Set<string>();
  const sites = lastOf(told, 'StationID', { codes: new Set(), doubles }).map((site) => ({
    ...site,
    stations: lastOf(site.stations, 'EquipmentID', { codes: new Set(), doubles })
      .map((station) => ({
        ...station,
        ports: lastOf(station.ports, 'ConnectorID', { codes: portCodes, doubles }).toReversed(),
      }))
      .toReversed(),
  }));
  return { sites: sites.toReversed(), doubles };
}

/** Backwards, so that the last comes first; notes the codes that it meets and those that it met before. */
function lastOf<Item extends { id: string }>(
  items: readonly Item[],
  field: Double['field'],
  { codes, doubles }: { codes: Set<string>; doubles: Double[] },
): Item[] {
  const last: Item[] = [];
  for (const item of items.toReversed()) {
    if (codes.has(item.id)) doubles.push({ field, code: item.id });
    else last.push(item);
    codes.add(item.id);
  }
  return last;
}
