import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { AgentId, PositionId, UserId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { isWithinOwn } from '../own-rights.ts';
import { visiblePositions } from '../positions/queries.ts';

/** The agent and the position that a user is to have. */
export type Post = {
  positionId: PositionId | null;
  agentId: AgentId | null;
  /** It is the account of a divider, whose position is for dividers only. */
  isDividers: boolean;
};

/**
 * Whether the caller may assign them: the agent exists, the position serves this agent's people or, for dividers' accounts
 * and for no others, dividers, and the caller has everything that it grants.
 */
export async function checkPost(trx: Trx, caller: Caller, post: Post): Promise<Result<null, ApiError>> {
  const fault = (path: string, code: FieldFault['code']) =>
    failed({ code: 'request.invalid' as const, fields: [{ path, code }] });
  const chain = post.agentId === null ? [] : await agentAndAbove(trx, post.agentId);
  if (post.agentId !== null && chain.length === 0) return fault('agentId', 'unknown_reference');
  if (post.positionId === null) return ok(null);
  const position = await trx
    .selectFrom('positions')
    .select(['agent_id as agentId', 'menu_codes as menuCodes', 'data_scope as dataScope'])
    .where('id', '=', post.positionId)
    // Locked, so that nobody widens or deletes it meanwhile.
    .forShare()
    .executeTakeFirst();
  if (position === undefined) return fault('positionId', 'unknown_reference');
  if (!isWithinOwn(caller, position)) {
    // The answer reveals nothing about a position that the caller cannot see.
    const seen = await visiblePositions(trx, caller).select('id').where('id', '=', post.positionId).executeTakeFirst();
    return seen === undefined ? fault('positionId', 'unknown_reference') : failed({ code: 'position.beyond_own' });
  }
  if (post.isDividers && position.dataScope !== 'divider') return failed({ code: 'user.of_divider' });
  if (!post.isDividers && position.dataScope === 'divider') return failed({ code: 'user.not_of_divider' });
  if (position.agentId !== null && !chain.includes(position.agentId)) return fault('positionId', 'unknown_reference');
  // An agent's people never see beyond their agent.
  if (post.agentId !== null && position.dataScope === 'platform') return fault('positionId', 'invalid');
  return ok(null);
}

async function agentAndAbove(trx: Trx, agentId: AgentId): Promise<AgentId[]> {
  const { rows } = await sql<{ id: AgentId }>`
    with recursive way as (
      select id, parent_id, 0 as depth from agents where id = ${agentId}
      union all
      select agents.id, agents.parent_id, way.depth + 1 from agents join way on agents.id = way.parent_id
       where way.depth < 20
    )
    select id from way`.execute(trx);
  return rows.map(({ id }) => id);
}

/** People sign in by name or by phone, so neither may be another user's name or phone. */
export async function checkNames(
  trx: Trx,
  names: { userName: string | null; phone: string | null },
  own: UserId | null,
): Promise<Result<null, ApiError>> {
  const wanted = [names.userName, names.phone].flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  if (wanted.length === 0) return ok(null);
  const takers = await trx
    .selectFrom('users')
    .select([sql<string>`lower(user_name)`.as('userName'), 'phone'])
    .where((eb) => eb.or([eb(sql<string>`lower(user_name)`, 'in', wanted), eb('phone', 'in', wanted)]))
    .where('id', '!=', own ?? (0 as UserId))
    .execute();
  const isTaken = (name: string | null) =>
    name !== null && takers.some(({ userName, phone }) => userName === name.toLowerCase() || phone === name);
  if (isTaken(names.userName)) return failed({ code: 'user.name_taken', params: { name: names.userName ?? '' } });
  if (isTaken(names.phone)) return failed({ code: 'user.phone_taken', params: { phone: names.phone ?? '' } });
  return ok(null);
}
