import type { ScannedPort } from '@voltdeck/contract/own';

type OwnSite = ScannedPort['site'];

/** What the public may know of a site. */
export const siteColumns = [
  'sites.id as siteId',
  'sites.name as siteName',
  'sites.address',
  'sites.longitude',
  'sites.latitude',
  'sites.open_all_day as openAllDay',
  'sites.opening_hours as openingHours',
  'sites.service_phone as servicePhone',
  'sites.parking_fee as parkingFee',
  'sites.parking_info as parkingInfo',
] as const;

type SiteRow = Omit<OwnSite, 'id' | 'name'> & { siteId: OwnSite['id']; siteName: string };

export function siteOf(row: SiteRow): OwnSite {
  const { address, longitude, latitude, openAllDay, openingHours, servicePhone, parkingFee, parkingInfo } = row;
  const place = { address, longitude, latitude };
  return {
    id: row.siteId,
    name: row.siteName,
    ...place,
    openAllDay,
    openingHours,
    servicePhone,
    parkingFee,
    parkingInfo,
  };
}
