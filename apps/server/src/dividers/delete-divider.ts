import type { ApiError } from '@voltdeck/contract/errors';
import type { DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isReferredTo } from '../database/is-referred-to.ts';
import type { Trx } from '../database/transact.ts';
import { accountOf, lockDivider } from './lock-divider.ts';
import { findDivider } from './queries.ts';

/** Deletes a divider, with its account and terms to come, that never had terms in force or money. */
export async function deleteDivider(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const locked = await lockDivider(trx, caller, id);
  if (!locked.ok) return locked;
  const before = await findDivider(trx, caller, id, at);
  const begun = await trx
    .selectFrom('divider_terms')
    .select('id')
    .where('divider_id', '=', id)
    .where('from_at', '<=', at)
    .limit(1)
    .executeTakeFirst();
  if (begun !== undefined) return failed({ code: 'divider.has_terms' });
  const account = await accountOf(trx, id);
  if (account !== null && account.lastLoginAt !== null) return failed({ code: 'divider.was_used' });
  if (await isReferredTo(trx, 'dividers', id, { except: ['divider_terms', 'users'] })) {
    return failed({ code: 'divider.has_records' });
  }
  await trx.deleteFrom('divider_terms').where('divider_id', '=', id).execute();
  if (account !== null) await trx.deleteFrom('users').where('id', '=', account.id).execute();
  await trx.deleteFrom('dividers').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'divider.delete', recordKind: 'divider', recordId: id, before });
  return ok(null);
}
