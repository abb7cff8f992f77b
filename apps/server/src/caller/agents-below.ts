import type { AgentId } from '@voltdeck/units/id';
import { type RawBuilder, sql } from 'kysely';

/** A query of the ids of an agent and everybody below it. */
export function withAgentsBelow(id: AgentId): RawBuilder<AgentId> {
  return sql`
    with recursive tree as (
      select id, 1 as level from agents where id = ${id}
      union all
      select a.id, tree.level + 1 from agents a join tree on a.parent_id = tree.id where tree.level < 20)
    select id from tree`;
}
