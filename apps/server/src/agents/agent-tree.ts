import { agentDepthMax } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AgentId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

const treeLock = 0x61677472;

/** Places in the tree change one at a time, so that what is checked stays true until the commit. */
export async function lockTree(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${treeLock})`.execute(trx);
}

/** The agent and those above it, the nearest first. */
export async function wayUp(trx: Trx, id: AgentId | null): Promise<AgentId[]> {
  if (id === null) return [];
  const { rows } = await sql<{ id: AgentId }>`
    with recursive way as (
      select id, parent_id, 1 as depth from agents where id = ${id}
      union all
      select a.id, a.parent_id, way.depth + 1 from agents a join way on a.id = way.parent_id where way.depth < 20
    )
    select id from way order by depth`.execute(trx);
  return rows.map((agent) => agent.id);
}

/** The agent and everybody below it, with how many levels down they are. */
async function treeOf(trx: Trx, id: AgentId): Promise<{ id: AgentId; level: number }[]> {
  const { rows } = await sql<{ id: AgentId; level: number }>`
    with recursive tree as (
      select id, 1 as level from agents where id = ${id}
      union all
      select a.id, tree.level + 1 from agents a join tree on a.parent_id = tree.id where tree.level < 20
    )
    select id, level from tree`.execute(trx);
  return rows;
}

/**
 * Whether an agent may be below `parentId`: not below itself, not too deep with those below it, and nobody keeps a
 * position that an agent above lent them. Call `lockTree` before.
 */
export async function checkPlace(
  trx: Trx,
  id: AgentId | null,
  parentId: AgentId | null,
): Promise<Result<null, ApiError>> {
  const above = await wayUp(trx, parentId);
  if (id !== null && above.includes(id)) return failed({ code: 'agent.circle' });
  const tree = id === null ? [] : await treeOf(trx, id);
  const levels = Math.max(1, ...tree.map(({ level }) => level));
  if (above.length + levels > agentDepthMax) {
    return failed({ code: 'agent.too_deep', params: { max: agentDepthMax } });
  }
  if (tree.length === 0) return ok(null);
  const own = tree.map((agent) => agent.id);
  const { users } = await trx
    .selectFrom('users')
    .innerJoin('positions', 'positions.id', 'users.position_id')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .where(sql<boolean>`users.agent_id = any(${own})`)
    .where(sql<boolean>`positions.agent_id <> all(${[...own, ...above]})`)
    .executeTakeFirstOrThrow();
  return users === 0 ? ok(null) : failed({ code: 'agent.positions_of_parent', params: { users } });
}
