import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Limits of one run. A backlog is worked off over several runs. */
export const proofLimits = {
  transfersAtOnce: 10_000,
  batchesMax: 20,
  /** Accounts compared per run; the next run continues after them. */
  accountsMax: 50_000,
  /** How long to wait for transfers in flight; the next run waits for slower ones. */
  inFlightWaitMs: 5_000,
} as const;

const pollMs = 20;

export type Difference = { account: string; keptFen: Fen; postedFen: Fen };

export type IncrementalProof = {
  /** Transfers up to this position are proven. */
  provenTo: number;
  /**
   * `compared`: balances were compared. `behind`: there is more to add up first. `in-flight`: an earlier transaction
   * has not ended. `elsewhere`: another node is running it.
   */
  outcome: 'compared' | 'behind' | 'in-flight' | 'elsewhere';
  /** Everything known to be wrong now, whichever run found it. */
  differences: Difference[];
};

/**
 * Proves the books without reading them again: adds the transfers since the last run to the sums of their accounts and
 * compares balances with them. It blocks nobody. Changes in transfers already proven are found only by the proof of the
 * whole books (prove-ledger.ts).
 */
export async function proveNewTransfers(
  db: Kysely<Tables>,
  at: Instant,
  limits: { [Limit in keyof typeof proofLimits]: number } = proofLimits,
): Promise<IncrementalProof> {
  const safeTo = await safePosition(db, limits.inFlightWaitMs);
  if (safeTo === null) return proofSoFar(db, 'in-flight');
  for (let batch = 0; batch < limits.batchesMax; batch += 1) {
    const provenTo = await addTransfers(db, safeTo, limits.transfersAtOnce);
    if (provenTo === null) return proofSoFar(db, 'elsewhere');
    if (provenTo < safeTo) continue;
    const compared = await compareBalances(db, at, limits.accountsMax);
    return proofSoFar(db, compared ? 'compared' : 'elsewhere');
  }
  return proofSoFar(db, 'behind');
}

/**
 * A position before which nothing is in flight; null when a transaction begun by now does not end. A transfer holds a
 * lock on the sequence until its transaction ends, taken before the number. So after reading the last number it is
 * enough to wait for the present holders: later ones get later numbers.
 */
async function safePosition(db: Kysely<Tables>, waitMs: number): Promise<number | null> {
  const { rows } = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from ledger_transfers_position_seq`.execute(db);
  const until = performance.now() + waitMs;
  const begun = await sequenceHolders(db);
  for (let holders = begun; holders.some((holder) => begun.includes(holder)); holders = await sequenceHolders(db)) {
    if (performance.now() > until) return null;
    await sleep(pollMs);
  }
  return rows[0]?.last ?? 0;
}

/** The transactions that have taken a position and not ended. */
async function sequenceHolders(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    select virtualtransaction as holder from pg_locks
     where locktype = 'relation' and relation = 'ledger_transfers_position_seq'::regclass
       and database = (select oid from pg_database where datname = current_database())
       and mode = 'RowExclusiveLock' and granted`.execute(db);
  return rows.map(({ holder }) => holder);
}

/**
 * Adds the next transfers up to a safe position. Returns how far the sums now reach; null when another node is running.
 */
async function addTransfers(db: Kysely<Tables>, safeTo: number, transfersMax: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const { rows: states } = await sql<{ from: number }>`
      select proven_to as from from ledger_proof for update skip locked`.execute(trx);
    const from = states[0]?.from;
    if (from === undefined) return null;
    if (from >= safeTo) return from;
    const { rows: ends } = await sql<{ last: number; transfers: number }>`
      select max(position) as last, count(*)::int as transfers from (
        select position from ledger_transfers where position > ${from} and position <= ${safeTo}
         order by position limit ${transfersMax}) next`.execute(trx);
    const end = ends[0];
    const to = end === undefined || end.transfers < transfersMax ? safeTo : end.last;
    await sql`
      insert into ledger_proven_sums as s (account_id, sum_fen)
      ${sumsOfPostings(sql`t.position > ${from} and t.position <= ${to}`)}
      on conflict (account_id) do update set sum_fen = s.sum_fen + excluded.sum_fen`.execute(trx);
    await sql`update ledger_proof set proven_to = ${to}`.execute(trx);
    return to;
  });
}

/**
 * Compares the next accounts with their postings. One statement sees balances and postings of one moment, so postings
 * after the proven position are added on both sides.
 */
async function compareBalances(db: Kysely<Tables>, at: Instant, accountsMax: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows: states } = await sql<{ from: number; provenTo: number }>`
      select compared_to as from, proven_to as "provenTo" from ledger_proof for update skip locked`.execute(trx);
    const state = states[0];
    if (state === undefined) return false;
    const { rows } = await sql<{ last: number | null; accounts: number }>`
      with tail as (${sumsOfPostings(sql`t.position > ${state.provenTo}`)}),
      compared as (
        select a.id, a.balance_fen as kept_fen, coalesce(s.sum_fen, 0) + coalesce(tail.sum_fen, 0) as posted_fen
          from (select id, balance_fen from ledger_accounts where id > ${state.from} order by id limit ${accountsMax}) a
          left join ledger_proven_sums s on s.account_id = a.id
          left join tail on tail.account_id = a.id),
      found as (
        insert into ledger_differences as d (account_id, kept_fen, posted_fen, found_at)
        select id, kept_fen, posted_fen, to_timestamp(${at} / 1000.0) from compared where kept_fen <> posted_fen
        on conflict (account_id) do update set kept_fen = excluded.kept_fen, posted_fen = excluded.posted_fen),
      mended as (
        delete from ledger_differences d using compared c where c.id = d.account_id and c.kept_fen = c.posted_fen)
      select max(id) as last, count(*)::int as accounts from compared`.execute(trx);
    const { last = null, accounts = 0 } = rows[0] ?? {};
    const comparedTo = last === null || accounts < accountsMax ? 0 : last;
    await sql`
      update ledger_proof
         set compared_to = ${comparedTo},
             round_ended_at = case when ${comparedTo} = 0 then to_timestamp(${at} / 1000.0) else round_ended_at end`.execute(
      trx,
    );
    return true;
  });
}

/** The sums of the transfers `t` that `where` selects, by account. */
export function sumsOfPostings(where: ReturnType<typeof sql>) {
  return sql`
    select m.account_id, sum(m.change)::bigint as sum_fen
      from ledger_transfers t
      join ledger_postings p on p.transfer_id = t.id
      cross join lateral (values (p.to_account_id, p.amount_fen), (p.from_account_id, -p.amount_fen))
        as m (account_id, change)
     where ${where}
     group by m.account_id`;
}

async function proofSoFar(db: Kysely<Tables>, outcome: IncrementalProof['outcome']): Promise<IncrementalProof> {
  const { rows } = await sql<{ provenTo: number }>`select proven_to as "provenTo" from ledger_proof`.execute(db);
  const { rows: differences } = await sql<Difference>`
    select a.key as account, d.kept_fen as "keptFen", d.posted_fen as "postedFen"
      from ledger_differences d join ledger_accounts a on a.id = d.account_id
     order by d.account_id limit 100`.execute(db);
  return { provenTo: rows[0]?.provenTo ?? 0, outcome, differences };
}
