import { cardAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import type { CardId, RechargeId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from './post-transfer.ts';
import { proofGauges } from './proof-gauges.ts';
import { proveLedger } from './prove-ledger.ts';
import { proofLimits, proveNewTransfers, sumsOfPostings } from './prove-new-transfers.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

describe('the proof of what is new', () => {
  test('the proof finds nothing wrong in sound books, and reads every transfer once', async () => {
    const { db, pool } = await freshDatabase();
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 0, outcome: 'compared', differences: [] });
    await recharge(db, 1);
    await recharge(db, 2);
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 2, outcome: 'compared', differences: [] });
    await recharge(db, 3);
    await withoutTriggers(pool, 'update ledger_postings set amount_fen = 7 where transfer_id = 1');
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 3, outcome: 'compared', differences: [] });
  });

  test('the proof of new transfers leaves a proven one that was changed afterwards to the proof of the whole books', async () => {
    const { db, pool } = await freshDatabase();
    await recharge(db, 1);
    await proveNewTransfers(db, now);
    await withoutTriggers(pool, 'update ledger_postings set amount_fen = amount_fen + 1');
    expect((await proveNewTransfers(db, now)).differences).toEqual([]);
    expect(await proveLedger(db)).toMatchObject({ mismatches: 2 });
  });

  test('the proof reports a wrong balance until it is corrected, and then no more', async () => {
    const { db, pool } = await freshDatabase();
    await recharge(db, 1);
    await proveNewTransfers(db, now);
    await pool.query(`update ledger_accounts set balance_fen = balance_fen + 5 where key = 'card:1'`);
    const wrong = { account: 'card:1', keptFen: 105, postedFen: 100 };
    expect((await proveNewTransfers(db, now)).differences).toEqual([wrong]);
    expect((await proveNewTransfers(db, now)).differences).toEqual([wrong]);
    await pool.query(`update ledger_accounts set balance_fen = balance_fen - 5 where key = 'card:1'`);
    expect((await proveNewTransfers(db, now)).differences).toEqual([]);
  });

  test('the metrics show how many balances are wrong', async () => {
    const { db, pool, close } = await freshDatabase();
    const [gauge] = proofGauges(db, () => now);
    const told = async () => (await gauge?.get())?.values[0]?.value;
    expect(await told()).toBe(0);
    await pool.query(`insert into ledger_accounts (key, may_go_below_zero, balance_fen) values ('card:9', false, 1)`);
    await proveNewTransfers(db, now);
    expect(await told()).toBe(1);
    await close();
    expect(await told()).toBeNaN();
  });

  test('the proof finds a balance without a posting and a posting without its balance', async () => {
    const { db, pool } = await freshDatabase();
    await recharge(db, 1);
    await pool.query(`insert into ledger_accounts (key, may_go_below_zero, balance_fen) values ('card:9', false, 1)`);
    await pool.query(
      `insert into ledger_transfers (key, reason, created_at, amount_fen) values ('by hand', 'correction', now(), 3)`,
    );
    await pool.query(`insert into ledger_postings select 2, 1, to_account_id, from_account_id, 3 from ledger_postings`);
    const { differences } = await proveNewTransfers(db, now);
    expect(new Set(differences.map(({ account }) => account))).toEqual(
      new Set(['card:1', 'card:9', 'channel:back-office']),
    );
  });

  test('the proof includes a transfer that was in flight while a later one was proven', async () => {
    const database = await freshDatabase();
    const { db } = database;
    const early = await db.startTransaction().execute();
    await recharge(early, 1);
    await recharge(db, 2);
    const impatient = { ...proofLimits, inFlightWaitMs: 0 };
    expect(await proveNewTransfers(db, now, impatient)).toMatchObject({ provenTo: 0, outcome: 'in-flight' });
    const patient = proveNewTransfers(db, now);
    await early.commit().execute();
    expect(await patient).toEqual({ provenTo: 2, outcome: 'compared', differences: [] });
  });

  test('the proof neither waits for transfers that begin after it nor delays them', async () => {
    const database = await freshDatabase();
    const { db, pool } = database;
    await recharge(db, 1);
    // The run has read its end position when the next transfer begins, and goes no further.
    const early = await db.startTransaction().execute();
    await recharge(early, 2);
    const running = proveNewTransfers(db, now);
    await untilSeen(
      pool,
      `select 1 from pg_stat_activity where datname = current_database() and query like '%pg_locks%' and state = 'idle' and pid <> pg_backend_pid()`,
    );
    const late = await db.startTransaction().execute();
    await recharge(late, 3);
    await early.commit().execute();
    expect(await running).toEqual({ provenTo: 2, outcome: 'compared', differences: [] });
    await late.commit().execute();
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 3, outcome: 'compared', differences: [] });
  });

  test('the proof skips a transfer that was rolled back', async () => {
    const { db } = await freshDatabase();
    const open = await db.startTransaction().execute();
    await recharge(open, 1);
    await open.rollback().execute();
    await recharge(db, 2);
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 2, outcome: 'compared', differences: [] });
  });

  test('the proof works off a backlog over several runs and compares when it has caught up', async () => {
    const { db, pool } = await freshDatabase();
    for (let id = 1; id <= 7; id += 1) await recharge(db, id);
    await pool.query(`update ledger_accounts set balance_fen = balance_fen + 5 where key = 'card:1'`);
    const small = { ...proofLimits, transfersAtOnce: 2, batchesMax: 2 };
    expect(await proveNewTransfers(db, now, small)).toEqual({ provenTo: 4, outcome: 'behind', differences: [] });
    expect(await proveNewTransfers(db, now, small)).toMatchObject({ provenTo: 7, outcome: 'compared' });
    expect((await proveNewTransfers(db, now, small)).differences).toHaveLength(1);
  });

  test('the proof compares a slice of the accounts in each run, and all of them in turn', async () => {
    const { db, pool } = await freshDatabase();
    for (let id = 1; id <= 3; id += 1) await recharge(db, id);
    await pool.query('update ledger_accounts set balance_fen = balance_fen + 5');
    const small = { ...proofLimits, accountsMax: 2 };
    const found: number[] = [];
    for (let run = 0; run < 3; run += 1) found.push((await proveNewTransfers(db, now, small)).differences.length);
    expect(found).toEqual([2, 4, 4]);
  });

  test('the proof adds every transfer once when two nodes run it', async () => {
    const { db } = await freshDatabase();
    for (let id = 1; id <= 5; id += 1) await recharge(db, id);
    await Promise.all([1, 2, 3].map(() => proveNewTransfers(db, now)));
    expect(await proveNewTransfers(db, now)).toEqual({ provenTo: 5, outcome: 'compared', differences: [] });
  });

  test('the proof of many transfers reads an index range and its postings', async () => {
    const { db, pool } = await freshDatabase();
    await pool.query(`insert into ledger_accounts (key, may_go_below_zero) values ('a', true), ('b', true)`);
    await pool.query(`insert into ledger_transfers (key, reason, created_at, amount_fen)
                      select 't' || n, 'correction', now(), 1 from generate_series(1, 50000) n`);
    await pool.query(`insert into ledger_postings select n, 1, 1, 2, 1 from generate_series(1, 50000) n`);
    await pool.query('vacuum analyze ledger_transfers, ledger_postings');
    const range = sumsOfPostings(sql`t.position > ${49_000} and t.position <= ${49_100}`);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${range}`.execute(db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Only Scan using ledger_transfers_position');
    expect(plan).toContain('ledger_postings_pkey');
    expect(plan).not.toContain('Seq Scan');
  });
});

async function recharge(db: Database['db'] | Trx, card: number): Promise<void> {
  const wallet = cardAccount(card as CardId);
  const made = rechargeTransfer({ id: card as RechargeId, channel: 'back-office', wallet, amountFen: fen(100) });
  if (!made.ok) throw new Error(made.error.code);
  if (db.isTransaction) await postTransfer(db as Trx, made.value, now);
  else await db.transaction().execute((trx) => postTransfer(trx, made.value, now));
}

/** As a malicious owner of the tables could. */
async function withoutTriggers(pool: Database['pool'], statement: string): Promise<void> {
  await pool.query('alter table ledger_postings disable trigger user');
  await pool.query(statement);
  await pool.query('alter table ledger_postings enable trigger user');
}

async function untilSeen(pool: Database['pool'], query: string): Promise<void> {
  await expect.poll(async () => (await pool.query(query)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0);
}
