import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/** Limits of one run. A backlog is worked off over several runs. */
export const keepLimits = { transfersAtOnce: 20_000, batchesMax: 50 } as const;

/** The figures of statements, as columns of `statement_days` and `statement_flows`. */
export const flowColumns = [
  'orders',
  'energy_wh',
  'electricity_fen',
  'service_fen',
  'coupon_fen',
  'coupon_back_fen',
  'received_fen',
  'refunded_fen',
  'forgiven_fen',
  'written_off_fen',
  'channel_fee_fen',
  'commission_fen',
] as const;
export type FlowColumn = (typeof flowColumns)[number];

const listed = sql.raw(flowColumns.join(', '));
const summed = sql.raw(flowColumns.map((column) => `sum(${column})::bigint as ${column}`).join(', '));
const added = sql.raw(flowColumns.map((column) => `${column} = kept.${column} + excluded.${column}`).join(', '));

/** What transfers move for statements, by day, site and agent. `where` selects rows of the flows `f`. */
const daysOf = (where: RawBuilder<unknown>) => sql`
  select day, site_id, agent_id, ${summed} from statement_flows f where ${where} group by day, site_id, agent_id`;

const sharesOf = (where: RawBuilder<unknown>) => sql`
  select day, site_id, agent_id, party, party_id, sum(shared_fen)::bigint as shared_fen,
         sum(paid_out_fen)::bigint as paid_out_fen
    from statement_share_flows f where ${where}
   group by day, site_id, agent_id, party, party_id
  having sum(shared_fen) <> 0 or sum(paid_out_fen) <> 0`;

const accountsOf = (where: RawBuilder<unknown>) => sql`
  select day, account, sum(change_fen)::bigint as change_fen from ledger_flows f where ${where} group by day, account`;

/** The rows that transfers add to each kept table. The condition selects from flows `f`. */
export const keptBetween = { statement_days: daysOf, statement_shares: sharesOf, ledger_days: accountsOf } as const;

/**
 * Adds transfers to the kept sums of statements and balances, up to where the books are proven: no earlier transfer will
 * come any more. Returns how many transfers are left; null where another node is at it. It blocks nobody.
 */
export async function keepSums(
  db: Kysely<Tables>,
  limits: { [Limit in keyof typeof keepLimits]: number } = keepLimits,
): Promise<number | null> {
  for (let batch = 0; batch < limits.batchesMax; batch += 1) {
    const left = await db.transaction().execute((trx) => keepNext(trx, limits.transfersAtOnce));
    if (left === null || left === 0) return left;
  }
  const { rows } = await sql<{ left: number }>`
    select proven_to - kept_to as left from finance_progress, ledger_proof`.execute(db);
  return rows[0]?.left ?? 0;
}

async function keepNext(trx: Trx, transfersMax: number): Promise<number | null> {
  const { rows } = await sql<{ from: number }>`
    select kept_to as from from finance_progress for update skip locked`.execute(trx);
  const from = rows[0]?.from;
  if (from === undefined) return null;
  // Read after the lock, so that it is no older than what the last run left.
  const { rows: ends } = await sql<{ last: number | null; transfers: number; proven: number }>`
    select max(next.position) as last, count(next.position)::int as transfers, min(proof.proven_to) as proven
      from (select proven_to from ledger_proof) proof
      left join lateral (
        select position from ledger_transfers where position > ${from} and position <= proof.proven_to
         order by position limit ${transfersMax}) next on true`.execute(trx);
  const { last = null, transfers = 0, proven = from } = ends[0] ?? {};
  if (proven <= from) return 0;
  const to = last === null || transfers < transfersMax ? proven : last;
  const between = sql`f.position > ${sql.lit(from)} and f.position <= ${sql.lit(to)}`;
  await sql`
    insert into statement_days as kept (day, site_id, agent_id, ${listed})
    ${daysOf(between)}
    on conflict (day, site_id, agent_id) do update set ${added}`.execute(trx);
  await sql`
    insert into statement_shares as kept (day, site_id, agent_id, party, party_id, shared_fen, paid_out_fen)
    ${sharesOf(between)}
    on conflict (day, site_id, agent_id, party, party_id)
      do update set shared_fen = kept.shared_fen + excluded.shared_fen,
                    paid_out_fen = kept.paid_out_fen + excluded.paid_out_fen`.execute(trx);
  await sql`
    insert into ledger_days as kept (day, account, change_fen)
    ${accountsOf(between)}
    on conflict (account, day) do update set change_fen = kept.change_fen + excluded.change_fen`.execute(trx);
  await sql`update finance_progress set kept_to = ${to}`.execute(trx);
  return proven - to;
}
