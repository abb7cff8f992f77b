import type { ApiError } from '@voltdeck/contract/errors';
import type { PriceChange } from '@voltdeck/contract/price-changes';
import type { PriceChangeId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { lockPriceChange } from './lock-price-change.ts';
import { findPriceChange } from './queries.ts';

/** Removes stations from a waiting price change. The last one cannot be removed: cancel the change instead. */
export async function removeStations(
  trx: Trx,
  caller: Caller,
  id: PriceChangeId,
  stationIds: readonly StationId[],
  at: Instant,
): Promise<Result<PriceChange, ApiError>> {
  const locked = await lockPriceChange(trx, caller, id);
  if (!locked.ok) return locked;
  if (locked.value.state !== 'waiting') return failed({ code: 'price_change.not_waiting' });
  await trx
    .deleteFrom('price_change_stations')
    .where('price_change_id', '=', id)
    .where('station_id', 'in', stationIds)
    .execute();
  const left = await trx
    .selectFrom('price_change_stations')
    .select('id')
    .where('price_change_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) return failed({ code: 'price_change.last_station' });
  await audit(trx, caller, at, {
    action: 'price_change.change',
    recordKind: 'price_change',
    recordId: id,
    after: { removedStationIds: stationIds },
  });
  return found(await findPriceChange(trx, caller, id));
}
