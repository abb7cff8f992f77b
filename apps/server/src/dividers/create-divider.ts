import type { openDividerAccount, createDivider as route } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { DividerId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import { agentOfNewRecord } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { noPayout, noteAccountChange } from '../ledger/payout-account.ts';
import { checkPayout } from './check-payout.ts';
import { accountOf, lockDivider } from './lock-divider.ts';
import { openAccount } from './open-account.ts';
import { findDivider } from './queries.ts';

/** Adds a divider. With a login name it gets an account, whose initial password appears only in the answer. */
export async function createDivider(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const { name, phone = null, loginName = null, remark = '' } = form;
  const agentId = agentOfNewRecord(caller, form.agentId ?? undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (agentId !== null && !(await lockAgent(trx, caller, agentId))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'unknown_reference' }] });
  }
  const payout = checkPayout(caller, form, noPayout);
  if (!payout.ok) return payout;
  const enteredOn = form.enteredOn ?? shanghaiDate(at);
  const { id } = await trx
    .insertInto('dividers')
    .values({
      name,
      phone,
      agent_id: agentId,
      entered_on: enteredOn,
      remark,
      ...payout.value,
      created_by: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const set = { before: noPayout, after: payout.value };
  await noteAccountChange(trx, { kind: 'divider', id }, set, caller.userId, at);
  const { payoutKind, payoutHolder, payoutBank, payoutNumber } = form;
  await audit(trx, caller, at, {
    action: 'divider.create',
    recordKind: 'divider',
    recordId: id,
    after: { name, agentId, phone, enteredOn, remark, payoutKind, payoutHolder, payoutBank, payoutNumber },
  });
  const opened =
    loginName === null ? ok(null) : await openAccount(trx, caller, { id, name, phone, agentId }, loginName, at);
  if (!opened.ok) return opened;
  const divider = await findDivider(trx, caller, id, at);
  if (divider === null) throw new Error(`divider ${id} is gone`);
  return ok({ ...divider, initialPassword: opened.value });
}

/** Gives a divider without an account one. */
export async function openDividersAccount(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  loginName: string,
  at: Instant,
): Promise<Result<AnswerOf<typeof openDividerAccount>, ApiError>> {
  const locked = await lockDivider(trx, caller, id);
  if (!locked.ok) return locked;
  const present = await accountOf(trx, id);
  if (present !== null) return failed({ code: 'divider.has_account', params: { loginName: present.loginName } });
  const opened = await openAccount(trx, caller, locked.value, loginName, at);
  if (!opened.ok) return opened;
  const divider = await findDivider(trx, caller, id, at);
  return divider === null ? failed({ code: 'record.not_found' }) : ok({ ...divider, initialPassword: opened.value });
}
