import { type getAgentIncome, incomeDaysMax, type ShareOfDay } from '@voltdeck/contract/agents';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { AgentId } from '@voltdeck/units/id';
import {
  dayMs,
  type Instant,
  instant,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
} from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

/**
 * The days on which an agent earned, the latest first, from the shares of orders as they were posted. One call covers a
 * month, so that its cost does not grow with the agent's history; days without shares are left out.
 */
export async function findIncomeByDay(
  db: Kysely<Tables>,
  caller: Caller,
  id: AgentId,
  { before }: QueryOf<typeof getAgentIncome>,
  at: Instant,
): Promise<AnswerOf<typeof getAgentIncome> | null> {
  const agent = await scoped(db.selectFrom('agents'), caller, 'agents.id')
    .select('agents.id')
    .where('agents.id', '=', id)
    .executeTakeFirst();
  if (agent === undefined) return null;
  const end = before === undefined ? instant(shanghaiDayStart(at) + dayMs) : parseShanghaiDate(before);
  if (end === null) throw new Error(`${before} is no day`);
  const last = await lastBefore(db, id, end);
  if (last === null) return { days: [], before: null };
  // From the latest day with shares, so that a quiet stretch is no empty page.
  const to = instant(shanghaiDayStart(last) + dayMs);
  const from = instant(to - incomeDaysMax * dayMs);
  const { rows } = await sql<ShareOfDay>`
    select to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(distinct order_id)::int as orders,
           sum(electricity_fen)::bigint as "electricityFen", sum(service_fen)::bigint as "serviceFen",
           sum(occupancy_fen)::bigint as "occupancyFen", sum(amount_fen)::bigint as "amountFen"
      from order_shares
     where agent_id = ${id} and created_at >= to_timestamp(${from} / 1000.0) and created_at < to_timestamp(${to} / 1000.0)
     group by 1 order by 1 desc`.execute(db);
  return { days: rows, before: (await lastBefore(db, id, from)) === null ? null : shanghaiDate(from) };
}

/** When an agent last got a share before an instant. */
async function lastBefore(db: Kysely<Tables>, id: AgentId, before: Instant): Promise<Instant | null> {
  const row = await db
    .selectFrom('order_shares')
    .select('created_at')
    .where('agent_id', '=', id)
    .where('created_at', '<', before)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}
