import type { createAgent as route } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { AgentId, PositionId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { createUser } from '../access/users/create-user.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import type { Trx } from '../database/transact.ts';
import { noPayout, noteAccountChange } from '../ledger/payout-account.ts';
import { checkPlace, lockTree } from './agent-tree.ts';
import { checkAgent } from './check-agent.ts';
import { ownAgent } from './lock-agent-below.ts';
import { findAgent } from './queries.ts';

/**
 * Adds an agent with its main account. The platform puts it anywhere, an agent below itself or those below it. The
 * initial password appears only in the answer. Call `forgetRights` of the sessions after the commit, since whoever sees
 * the agent above sees this one too.
 */
export async function createAgent(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const own = ownAgent(caller);
  // Somebody who sees no agents below their own would not see this one.
  if (caller.agents !== 'all' && (own === null || caller.dataScope !== 'agent_tree')) {
    return failed({ code: 'access.denied' });
  }
  await lockTree(trx);
  const parentId = form.parentId ?? own;
  if (parentId !== null && !(await lockAgent(trx, caller, parentId))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'parentId', code: 'unknown_reference' }] });
  }
  const place = await checkPlace(trx, null, parentId);
  if (!place.ok) return place;
  const checked = await checkAgent(trx, caller, form, null);
  if (!checked.ok) return checked;
  const positionId = form.positionId ?? (await usualPosition(trx));
  if (positionId === null) return failed({ code: 'agent.no_position' });
  const { id } = await trx
    .insertInto('agents')
    .values({
      name: form.realName,
      parent_id: parentId,
      kind: form.kind ?? 'agent',
      contact: form.contact ?? '',
      address: form.address ?? '',
      credit_code: form.creditCode ?? null,
      rate_e4: Math.round(form.sharePercent * 100),
      subscribed_on: form.subscribedOn === undefined ? shanghaiDate(at) : form.subscribedOn,
      licence_file_id: form.licenceFileId ?? null,
      ...checked.value,
      created_by: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const set = { before: noPayout, after: checked.value };
  await noteAccountChange(trx, { kind: 'agent', id }, set, caller.userId, at);
  const widened = reaching(caller, id);
  const account = {
    userName: form.loginName,
    realName: form.contact || form.realName,
    phone: form.phone,
    positionId,
    agentId: id,
  };
  const made = await createUser(trx, widened, account, at);
  if (!made.ok) return made.error.code === 'request.invalid' ? failed(withoutAgent(made.error)) : made;
  const { user, initialPassword } = made.value;
  if (initialPassword === null) throw new Error('the account of an agent got no initial password');
  await trx.updateTable('agents').set({ user_id: user.id }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'agent.create',
    recordKind: 'agent',
    recordId: id,
    after: { ...form, parentId, positionId },
  });
  const agent = await findAgent(trx, widened, id, at);
  if (agent === null) throw new Error(`agent ${id} is gone`);
  return ok({ ...agent, initialPassword });
}

/** The caller as they are from now on. */
function reaching(caller: Caller, id: AgentId): Caller {
  return caller.agents === 'all' ? caller : { ...caller, agents: [...caller.agents, id] };
}

/** The form has no field for the agent that is being added. */
function withoutAgent(error: ApiError): ApiError {
  return { ...error, fields: (error.fields ?? []).filter(({ path }) => path !== 'agentId') };
}

/** The oldest of the platform's positions for agents and those below them: that of the installation, unless deleted. */
async function usualPosition(trx: Trx): Promise<PositionId | null> {
  const position = await trx
    .selectFrom('positions')
    .select('id')
    .where('agent_id', 'is', null)
    .where('data_scope', '=', 'agent_tree')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return position?.id ?? null;
}
