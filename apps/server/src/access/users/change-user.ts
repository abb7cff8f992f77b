import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { changeUser as route, User } from '@voltdeck/contract/users';
import type { AgentId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { nameAfter } from '../../http/shown-name.ts';
import { checkNames, checkPost } from './check-user.ts';
import { lockUser } from './lock-user.ts';
import { noteGiver } from './note-giver.ts';
import { findUser } from './queries.ts';

/** Changes a user; omitted fields stay. Call `forgetCached` of the sessions after the commit. */
export async function changeUser(
  trx: Trx,
  caller: Caller,
  id: UserId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<User, ApiError>> {
  const locked = await lockUser(trx, caller, id);
  if (!locked.ok) return locked;
  const {
    userName: _userName,
    admin: _admin,
    enabled: _enabled,
    id: _id,
    realNameKey,
    dividerId,
    ...before
  } = locked.value;
  const agentId = agentAfter(caller, before.agentId, form.agentId);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  const name = nameAfter(caller.language, { name: before.realName, key: realNameKey }, form.realName);
  const after = {
    realName: name.name,
    phone: form.phone === undefined ? before.phone : form.phone,
    positionId: form.positionId === undefined ? before.positionId : form.positionId,
    agentId,
  };
  // Its holder never changes.
  if (dividerId !== null && after.agentId !== before.agentId) return failed({ code: 'user.of_divider' });
  if (after.positionId !== before.positionId || after.agentId !== before.agentId) {
    if (id === caller.userId) return failed({ code: 'user.yourself' });
    const checked = await checkPost(trx, caller, { ...after, isDividers: dividerId !== null });
    if (!checked.ok) return checked;
  }
  if (after.phone !== before.phone) {
    const names = await checkNames(trx, { userName: null, phone: after.phone }, id);
    if (!names.ok) return names;
  }
  await trx
    .updateTable('users')
    .set({
      real_name: after.realName,
      real_name_key: name.key,
      phone: after.phone,
      position_id: after.positionId,
      agent_id: after.agentId,
    })
    .where('id', '=', id)
    .execute();
  if (after.phone !== before.phone) await noteGiver(trx, caller, id, at);
  await audit(trx, caller, at, { action: 'user.change', recordKind: 'user', recordId: id, before, after });
  return found(await findUser(trx, caller, id, at));
}

/** `undefined` when the caller may not assign it. An agent's people cannot assign the platform. */
function agentAfter(
  { agents }: Pick<Caller, 'agents'>,
  before: AgentId | null,
  asked: AgentId | null | undefined,
): AgentId | null | undefined {
  if (asked === undefined || (asked === null && agents !== 'all')) return before;
  return asked === null || agents === 'all' || agents.includes(asked) ? asked : undefined;
}
