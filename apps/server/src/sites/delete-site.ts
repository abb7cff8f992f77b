import type { ApiError } from '@voltdeck/contract/errors';
import type { SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { findSite } from './queries.ts';

/** Deletes a site that has no stations, never had an order and is in no bill of the grid. */
export async function deleteSite(trx: Trx, caller: Caller, id: SiteId, at: Instant): Promise<Result<null, ApiError>> {
  // Stations refer to this row, so locking it keeps new ones from being added meanwhile.
  await trx.selectFrom('sites').select('id').where('id', '=', id).forUpdate().execute();
  const before = await findSite(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const used = await trx
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('stations').select('id').where('site_id', '=', id)).as('hasStations'),
      eb.exists(eb.selectFrom('orders').select('id').where('site_id', '=', id)).as('hasOrders'),
      eb.exists(eb.selectFrom('grid_bills').select('id').where('site_id', '=', id)).as('hasGridBills'),
    ])
    .executeTakeFirstOrThrow();
  if (used.hasStations) return failed({ code: 'site.has_stations' });
  if (used.hasOrders) return failed({ code: 'site.has_orders' });
  if (used.hasGridBills) return failed({ code: 'site.has_grid_bills' });
  await trx.deleteFrom('sites').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'site.delete', recordKind: 'site', recordId: id, before });
  return ok(null);
}
