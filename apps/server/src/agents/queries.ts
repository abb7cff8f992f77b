import type { listAgents } from '@voltdeck/contract/agents';
import type { QueryOf } from '@voltdeck/contract/route';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { mayCall } from '../http/bind.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

/** Whoever looks after agents, and whoever spends out of the account. */
const seeingPrepaid = ['agent.read', 'agent.recharge', 'recharge.create'] as const;

export async function listAgentPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listAgents>,
  span: Span,
) {
  let filtered = scoped(db.selectFrom('agents'), caller, 'agents.id');
  if (filter.name !== undefined) filtered = filtered.where('agents.name', 'ilike', containing(filter.name));
  const { direction } = sortOf(filter.sort ?? 'name');
  const seesPrepaid = mayCall({ permission: [...seeingPrepaid] }, caller);
  const [rows, total] = await Promise.all([
    filtered
      .select(['agents.id', 'agents.name'])
      .select(sql<number>`(select count(*) from stations where agent_id = agents.id)`.as('stationCount'))
      .select(
        sql<Fen>`coalesce((select balance_fen from ledger_accounts where key = 'agent-prepaid:' || agents.id), 0)`.as(
          'prepaidFen',
        ),
      )
      .orderBy(sql`agents.name collate "zh-x-icu"`, direction)
      .orderBy('agents.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map((row) => ({ ...row, prepaidFen: seesPrepaid ? row.prepaidFen : null })), ...total };
}
