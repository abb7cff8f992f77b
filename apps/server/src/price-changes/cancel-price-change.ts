import type { ApiError } from '@voltdeck/contract/errors';
import type { PriceChange } from '@voltdeck/contract/price-changes';
import type { PriceChangeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { lockPriceChange } from './lock-price-change.ts';
import { findPriceChange } from './queries.ts';

/** Withdraws a price change before its time. */
export async function cancelPriceChange(
  trx: Trx,
  caller: Caller,
  id: PriceChangeId,
  at: Instant,
): Promise<Result<PriceChange, ApiError>> {
  const locked = await lockPriceChange(trx, caller, id);
  if (!locked.ok) return locked;
  if (locked.value.state !== 'waiting') return failed({ code: 'price_change.not_waiting' });
  await trx.updateTable('price_changes').set({ state: 'cancelled', cancelled_at: at }).where('id', '=', id).execute();
  await trx
    .updateTable('price_change_stations')
    .set({ state: 'skipped', reason: 'cancelled' })
    .where('price_change_id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'price_change.cancel', recordKind: 'price_change', recordId: id });
  return found(await findPriceChange(trx, caller, id));
}
