import type { listAgents } from '@voltdeck/contract/agents';
import type { QueryOf } from '@voltdeck/contract/route';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

export async function listAgentPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listAgents>,
  span: Span,
) {
  let filtered = scoped(db.selectFrom('agents'), caller, 'agents.id');
  if (filter.name !== undefined) filtered = filtered.where('agents.name', 'ilike', containing(filter.name));
  const { direction } = sortOf(filter.sort ?? 'name');
  const [items, total] = await Promise.all([
    filtered
      .select(['agents.id', 'agents.name'])
      .select(sql<number>`(select count(*) from stations where agent_id = agents.id)`.as('stationCount'))
      .orderBy(sql`agents.name collate "zh-x-icu"`, direction)
      .orderBy('agents.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items, ...total };
}
