import type { PartnerSite } from '@voltdeck/charging/partner-site';
import { watts } from '@voltdeck/units/energy';
import type { PartnerId, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Database } from '../database/database.ts';
import { transact } from '../database/transact.ts';
import { keepChanges, writePulledSites } from './pull/write-pulled-sites.ts';

/** A site of a partner with one station and one gun port. */
export const pulledSite: PartnerSite = {
  id: 'HARBOUR-1',
  operatorCode: 'MA0OTHER1',
  ownerCode: 'MA0OTHER1',
  name: 'Harbour',
  regionCode: '330106',
  address: '1 Lake Road',
  sitePhone: '0571-1234567',
  servicePhone: '4001234567',
  kind: 'public',
  place: 'car_park',
  state: 'normal',
  bayCount: 12,
  longitudeE6: 120_130_000,
  latitudeE6: 30_240_000,
  directions: null,
  pictures: [],
  vehicles: null,
  openAllDay: true,
  openingHours: '00:00-24:00',
  electricityFee: '1.20',
  serviceFee: '0.60',
  parkingFee: 'free',
  parkingIsFree: true,
  parkingInfo: null,
  paymentInfo: null,
  reservable: false,
  remark: null,
  stations: [
    {
      id: 'HARBOUR-1-E',
      name: null,
      manufacturer: null,
      manufacturerCode: null,
      model: null,
      producedOn: null,
      powerW: watts(60_000),
      ports: [
        {
          id: 'HARBOUR-1-E-1',
          name: null,
          kind: 'dc_plug',
          nationalStandard: '2015',
          voltageMinV: 200,
          voltageMaxV: 750,
          currentA: 125,
          powerW: watts(60_000),
          bayNumber: null,
        },
      ],
    },
  ],
};

/** What a full pull of that site leaves behind. */
export async function addPulledSite(database: Database, partnerId: PartnerId, at: Instant): Promise<void> {
  const { id: pullId } = await database.db
    .insertInto('partner_pulls')
    .values({ partner_id: partnerId, kind: 'full', state: 'done', started_at: at, ended_at: at, sites: 1, added: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await transact(database.db, async (trx) => {
    const { changes } = await writePulledSites(trx, partnerId, [pulledSite], at);
    await keepChanges(trx, pullId, changes);
    return { ok: true, value: null };
  });
}

/** Shows a site of ours to a partner. */
export async function exposeSite({ db }: Database, partnerId: PartnerId, siteId: SiteId, at: Instant): Promise<void> {
  await db.updateTable('sites').set({ opened_at: at }).where('id', '=', siteId).execute();
  await db.insertInto('partner_sites').values({ partner_id: partnerId, site_id: siteId, opened_at: at }).execute();
}
