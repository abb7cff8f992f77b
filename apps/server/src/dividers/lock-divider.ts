import type { ApiError } from '@voltdeck/contract/errors';
import type { DividerId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { payoutColumns } from '../ledger/payout-account.ts';

/** The divider, locked until the transaction ends. */
export async function lockDivider(trx: Trx, caller: Caller, id: DividerId) {
  const divider = await scoped(trx.selectFrom('dividers'), caller, 'dividers.agent_id')
    .select(['id', 'name', 'phone', 'agent_id as agentId', 'enabled', 'entered_on as enteredOn', 'remark'])
    .select(payoutColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const result: Result<typeof divider & {}, ApiError> =
    divider === undefined ? failed({ code: 'record.not_found' }) : ok(divider);
  return result;
}

/** The account of a divider; null for one who does not sign in. */
export async function accountOf(trx: Trx, id: DividerId) {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'user_name as loginName', 'real_name as realName', 'phone', 'last_login_at as lastLoginAt'])
    .select('position_id as positionId')
    .where('divider_id', '=', id)
    .executeTakeFirst();
  return user ?? null;
}
