import type { getLedgerProof, listRecharges, Recharge } from '@voltdeck/contract/payments';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { RechargeId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

/** A recharge is the agent's whose card it filled or whose money it was; any other of a customer's is the platform's. */
export function rechargeRows(db: Kysely<Tables>, caller: Caller) {
  const rows = db
    .selectFrom('recharges')
    .leftJoin('cards', 'cards.id', 'recharges.card_id')
    .leftJoin('customers', 'customers.id', 'recharges.customer_id');
  return scoped(
    rows,
    caller,
    sql`coalesce(cards.agent_id, recharges.agent_id)`,
    sql`coalesce(recharges.customer_id, cards.customer_id)`,
  );
}

const columns = [
  'recharges.id',
  'recharges.number',
  'recharges.card_id as cardId',
  'cards.number as cardNumber',
  'recharges.customer_id as customerId',
  'customers.phone as customerPhone',
  'recharges.amount_fen as amountFen',
  'recharges.balance_before_fen as balanceBeforeFen',
  'recharges.balance_after_fen as balanceAfterFen',
  'recharges.repaid_fen as repaidFen',
  'recharges.owed_after_fen as owedAfterFen',
  'recharges.agent_id as agentId',
  'recharges.prepaid_after_fen as prepaidAfterFen',
  'recharges.reversed_at as reversedAt',
  'recharges.reversal_reason as reversalReason',
  'recharges.created_at as createdAt',
] as const;

function toRecharge<Row extends { createdAt: Instant; reversedAt: Instant | null }>(row: Row) {
  const { createdAt, reversedAt } = row;
  return { ...row, createdAt: toIso(createdAt), reversedAt: reversedAt === null ? null : toIso(reversedAt) };
}

export async function findRecharge(db: Kysely<Tables>, caller: Caller, id: RechargeId): Promise<Recharge | null> {
  const row = await rechargeRows(db, caller).select(columns).where('recharges.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toRecharge(row);
}

export async function listRechargePage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listRecharges>,
  span: Span,
) {
  let filtered = rechargeRows(db, caller);
  if (filter.cardNumber !== undefined) {
    filtered = filtered.where('cards.number', 'like', containing(filter.cardNumber.toUpperCase()));
  }
  if (filter.phone !== undefined) filtered = filtered.where('customers.phone', 'like', containing(filter.phone));
  const { direction } = sortOf(filter.sort ?? '-createdAt');
  const [rows, total] = await Promise.all([
    filtered
      .select(columns)
      .orderBy('recharges.created_at', direction)
      .orderBy('recharges.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toRecharge), ...total };
}

type Proof = Omit<AnswerOf<typeof getLedgerProof>, 'checkedAt'>;

/** Every balance computed anew from its postings, in one statement and so from one moment. */
export async function proveLedger(db: Kysely<Tables>): Promise<Proof> {
  const { rows } = await sql<Proof>`
    with moves as (
      select account_id, sum(change) as sum_fen
        from (select to_account_id as account_id, amount_fen as change from ledger_postings
              union all
              select from_account_id, -amount_fen from ledger_postings) each
       group by account_id)
    select coalesce(sum(a.balance_fen), 0)::bigint as "sumFen",
           count(distinct a.key) as accounts,
           (select count(*) from ledger_transfers) as transfers,
           count(*) filter (where a.balance_fen <> coalesce(m.sum_fen, 0)) as mismatches
      from ledger_accounts a left join moves m on m.account_id = a.id`.execute(db);
  const [proof] = rows;
  if (proof === undefined) throw new Error('an aggregate without a row');
  return proof;
}
