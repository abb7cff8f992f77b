import type { ApiError } from '@voltdeck/contract/errors';
import type { PriceChangeId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

type Locked = { id: PriceChangeId; state: 'waiting' | 'applied' | 'cancelled' };

/** Locks a price change that the caller sees, before its stations. */
export async function lockPriceChange(trx: Trx, caller: Caller, id: PriceChangeId): Promise<Result<Locked, ApiError>> {
  const row = await scoped(trx.selectFrom('price_changes'), caller, 'price_changes.agent_id')
    .select(['price_changes.id', 'price_changes.state'])
    .where('price_changes.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? failed({ code: 'record.not_found' }) : ok(row);
}
