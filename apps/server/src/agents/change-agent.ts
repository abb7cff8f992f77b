import type { AgentDetail, changeAgent as route } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { AgentId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { changeUser } from '../access/users/change-user.ts';
import { findUser } from '../access/users/queries.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { noteAccountChange } from '../ledger/payout-account.ts';
import { checkPlace, lockTree } from './agent-tree.ts';
import { checkAgent } from './check-agent.ts';
import { lockAgentBelow, ownAgent } from './lock-agent-below.ts';
import { findAgent } from './queries.ts';

/**
 * Changes an agent; omitted fields stay. A new share counts for orders that are settled afterwards. Call `forgetRights`
 * of the sessions after the commit: who is below whom decides what everybody sees.
 */
export async function changeAgent(
  trx: Trx,
  caller: Caller,
  id: AgentId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AgentDetail, ApiError>> {
  if (form.parentId !== undefined) await lockTree(trx);
  const locked = await lockAgentBelow(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  const before = await findAgent(trx, caller, id, at);
  if (before === null) return failed({ code: 'record.not_found' });
  const parentId = form.parentId === undefined ? row.parent_id : (form.parentId ?? ownAgent(caller));
  if (parentId !== row.parent_id) {
    if (parentId !== null && !(await lockAgent(trx, caller, parentId))) {
      return failed({ code: 'request.invalid', fields: [{ path: 'parentId', code: 'unknown_reference' }] });
    }
    const place = await checkPlace(trx, id, parentId);
    if (!place.ok) return place;
  }
  const checked = await checkAgent(trx, caller, form, row);
  if (!checked.ok) return checked;
  await noteAccountChange(trx, { kind: 'agent', id }, { before: row, after: checked.value }, caller.userId, at);
  const account = await changeAccount(trx, caller, row.user_id, form, at);
  if (!account.ok) return account;
  await trx
    .updateTable('agents')
    .set({
      parent_id: parentId,
      ...checked.value,
      ...(form.realName === undefined ? {} : { name: form.realName }),
      ...(form.kind === undefined ? {} : { kind: form.kind }),
      ...(form.contact === undefined ? {} : { contact: form.contact }),
      ...(form.address === undefined ? {} : { address: form.address }),
      ...(form.creditCode === undefined ? {} : { credit_code: form.creditCode }),
      ...(form.sharePercent === undefined ? {} : { rate_e4: Math.round(form.sharePercent * 100) }),
      ...(form.subscribedOn === undefined ? {} : { subscribed_on: form.subscribedOn }),
      ...(form.licenceFileId === undefined ? {} : { licence_file_id: form.licenceFileId }),
      ...(form.phone === undefined || row.user_id !== null ? {} : { phone: form.phone }),
    })
    .where('id', '=', id)
    .execute();
  const names = Object.keys(form) as (keyof typeof form)[];
  await audit(trx, caller, at, {
    action: 'agent.change',
    recordKind: 'agent',
    recordId: id,
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: form,
  });
  return found(await findAgent(trx, caller, id, at));
}

/** The phone and the position are those of the main account. */
async function changeAccount(
  trx: Trx,
  caller: Caller,
  userId: UserId | null,
  { phone, positionId }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (phone === undefined && positionId === undefined) return ok(null);
  if (userId === null) return positionId === undefined ? ok(null) : failed({ code: 'agent.no_account' });
  const user = await findUser(trx, caller, userId, at);
  if (user === null) return failed({ code: 'record.not_found' });
  const isSame =
    (phone === undefined || phone === user.phone) && (positionId === undefined || positionId === user.positionId);
  if (isSame) return ok(null);
  const changed = await changeUser(trx, caller, userId, { realName: user.realName, phone, positionId }, at);
  return changed.ok ? ok(null) : changed;
}
