import { differencesMax } from '@voltdeck/contract/books';
import type { AccountId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export type WholeProof = {
  /** The sum of all balances; anything but zero means the books are broken. */
  sumFen: number;
  accounts: number;
  transfers: number;
  /** Accounts whose stored balance differs from the sum of their postings. */
  mismatches: number;
  /** The first of them. */
  found: FoundDifference[];
};

export type FoundDifference = { accountId: AccountId; keptFen: Fen; postedFen: Fen };

/** Every balance recomputed from its postings, in one statement and thus from one moment. */
export async function proveLedger(db: Kysely<Tables>): Promise<WholeProof> {
  const { rows } = await sql<WholeProof>`
    with moves as (
      select account_id, sum(change) as sum_fen
        from (select to_account_id as account_id, amount_fen as change from ledger_postings
              union all
              select from_account_id, -amount_fen from ledger_postings) each
       group by account_id)
    select coalesce(sum(a.balance_fen), 0)::bigint as "sumFen",
           count(distinct a.key) as accounts,
           (select count(*) from ledger_transfers) as transfers,
           count(*) filter (where a.balance_fen <> coalesce(m.sum_fen, 0)) as mismatches,
           coalesce(to_jsonb((array_agg(
             jsonb_build_object('accountId', a.id, 'keptFen', a.balance_fen, 'postedFen', coalesce(m.sum_fen, 0)))
             filter (where a.balance_fen <> coalesce(m.sum_fen, 0)))[1:${sql.lit(differencesMax)}]), '[]') as found
      from ledger_accounts a left join moves m on m.account_id = a.id`.execute(db);
  const [proof] = rows;
  if (proof === undefined) throw new Error('an aggregate gave no row');
  return proof;
}
