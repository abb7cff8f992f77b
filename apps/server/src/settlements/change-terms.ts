import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf, QueryOf } from '@voltdeck/contract/route';
import type {
  getSettlementTerms,
  changeSettlementTerms as route,
  SettlementTerms,
} from '@voltdeck/contract/settlements';
import type { SettlementCycle } from '@voltdeck/ledger/settlement';
import type { AgentId, DividerId } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

type Party = QueryOf<typeof getSettlementTerms>;
type Named = { table: 'agents' | 'dividers'; id: AgentId | DividerId };
type Row = {
  agent_id: AgentId | null;
  settlement_cycle: SettlementCycle;
  settles_itself: boolean;
  settlement_changed_at: Instant | null;
  changeable_on: string | null;
  new_cycle_from: string;
};

/** How a party in the caller's scope is settled with; null for others. */
export async function findTerms(
  db: Kysely<Tables>,
  caller: Caller,
  party: Party,
  at: Instant,
): Promise<SettlementTerms | null> {
  const named = namedBy(party);
  const row = named === null ? null : await readTerms(db, caller, named, at, sql``);
  return row === null ? null : termsOf(row);
}

/** Once a calendar month in China. Open periods keep their days, so that the new cycle begins after them. */
export async function changeTerms(
  trx: Trx,
  caller: Caller,
  { agentId, dividerId, cycle, settlesItself }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const named = namedBy({ agentId, dividerId });
  if (named === null) {
    const isNone = agentId === undefined;
    const fields = isNone
      ? [{ path: 'agentId', code: 'required' as const }]
      : ['agentId', 'dividerId'].map((path) => ({ path, code: 'only_one' as const }));
    return failed({ code: 'request.invalid', fields });
  }
  // Shares that are being written make their periods by the cycle of now.
  const party = named.table === 'agents' ? 'agent' : 'divider';
  await sql`select pg_advisory_xact_lock(settlement_lock(${party}, ${named.id}))`.execute(trx);
  const row = await readTerms(trx, caller, named, at, sql`for no key update`);
  if (row === null) return failed({ code: 'record.not_found' });
  if (row.settlement_cycle === cycle && row.settles_itself === settlesItself) return ok(null);
  if (row.changeable_on !== null) {
    return failed({ code: 'settlement.changed_this_month', params: { from: row.changeable_on } });
  }
  const set = { settlement_cycle: cycle, settles_itself: settlesItself, settlement_changed_at: at };
  await trx
    .updateTable(named.table)
    .set(set)
    .where('id', '=', named.id as never)
    .execute();
  await audit(trx, caller, at, {
    action: 'settlement.change',
    recordKind: named.table === 'agents' ? 'agent' : 'divider',
    recordId: named.id,
    before: { cycle: row.settlement_cycle, settlesItself: row.settles_itself },
    after: { cycle, settlesItself },
  });
  return ok(null);
}

function namedBy({ agentId, dividerId }: Party): Named | null {
  if (agentId !== undefined) return dividerId === undefined ? { table: 'agents', id: agentId } : null;
  return dividerId === undefined ? null : { table: 'dividers', id: dividerId };
}

async function readTerms(
  db: Kysely<Tables>,
  caller: Caller,
  { table, id }: Named,
  at: Instant,
  lock: ReturnType<typeof sql>,
): Promise<Row | null> {
  const agent = table === 'agents' ? 'id' : 'agent_id';
  const party = table === 'agents' ? 'agent' : 'divider';
  const now = sql`(to_timestamp(${at} / 1000.0) at time zone 'Asia/Shanghai')`;
  const month = sql`date_trunc('month', ${now})`;
  const { rows } = await sql<Row>`
    select ${sql.ref(agent)} as agent_id, settlement_cycle, settles_itself, settlement_changed_at,
           case when settlement_changed_at at time zone 'Asia/Shanghai' >= ${month}
                then (${month} + interval '1 month')::date::text end as changeable_on,
           greatest(${now}::date, (select max(to_on) + 1 from settlement_periods
             where party = ${party} and coalesce(agent_id, divider_id) = ${id}))::text as new_cycle_from
      from ${sql.table(table)} where id = ${id} ${lock}`.execute(db);
  const [row] = rows;
  return row === undefined || !isInScope(caller, row.agent_id) ? null : row;
}

function termsOf(row: Row): SettlementTerms {
  return {
    cycle: row.settlement_cycle,
    settlesItself: row.settles_itself,
    changedAt: isoOrNull(row.settlement_changed_at),
    changeableOn: row.changeable_on,
    newCycleFrom: row.new_cycle_from,
  };
}
