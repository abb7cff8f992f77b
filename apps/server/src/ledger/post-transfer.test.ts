import { cardAccount, electricityIncomeAccount, keyOf } from '@voltdeck/ledger/account';
import { noParts } from '@voltdeck/ledger/parts';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { settleTransfer } from '@voltdeck/ledger/settle';
import type { CardId, OrderId, RechargeId, SiteId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { Trx } from '../database/transact.ts';
import { balanceOf } from '../http/test-records.ts';
import { postTransfer } from './post-transfer.ts';
import { proveLedger } from './prove-ledger.ts';
import { reverseTransfer } from './reverse-transfer.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const siteId = 3 as SiteId;
const income = keyOf(electricityIncomeAccount(siteId));

describe('settlements of one site', () => {
  test('settlements of one site do not wait for each other, and its income is the sum of them all', async () => {
    const database = await freshDatabase();
    for (const card of [1, 2, 3]) await recharge(database, card, 1_000);
    await inTransaction(database, (trx) => settle(trx, 1));
    const open = await database.db.startTransaction().execute();
    await settle(open, 2);
    const openToo = await database.db.startTransaction().execute();
    await settle(openToo, 3);
    await openToo.commit().execute();
    expect(await balanceOf(database, income)).toBe(2 * 70);
    await open.commit().execute();
    expect(await balanceOf(database, income)).toBe(3 * 70);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0, accounts: 6, transfers: 6 });
  });

  test('successive settlements reuse the same sub-balance', async () => {
    const database = await freshDatabase();
    for (const card of [1, 2, 3]) {
      await recharge(database, card, 1_000);
      await inTransaction(database, (trx) => settle(trx, card));
    }
    expect(await partsOf(database, income)).toBe(1);
  });

  test('a site has at most as many sub-balances as ever settled at once', async () => {
    const database = await freshDatabase({ connectionsMax: 4 });
    const cards = Array.from({ length: 40 }, (_, index) => index + 1);
    await Promise.all(cards.map((card) => recharge(database, card, 1_000)));
    await Promise.all(cards.map((card) => inTransaction(database, (trx) => settle(trx, card))));
    expect(await partsOf(database, income)).toBeLessThanOrEqual(4);
    expect(await balanceOf(database, income)).toBe(40 * 70);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0, transfers: 80 });
  });

  test('an undone settlement takes the income back from whichever sub-balance is free', async () => {
    const database = await freshDatabase();
    await recharge(database, 1, 1_000);
    await recharge(database, 2, 1_000);
    await inTransaction(database, (trx) => settle(trx, 1));
    const open = await database.db.startTransaction().execute();
    await settle(open, 2);
    await inTransaction(database, (trx) => reverseTransfer(trx, 'order:1:settle', now));
    await open.commit().execute();
    expect(await balanceOf(database, income)).toBe(70);
    expect(await balanceOf(database, 'card:1')).toBe(1_000);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0 });
  });
});

describe('a wallet', () => {
  test('a wallet has one row: a second transfer waits for the first and cannot spend its money again', async () => {
    const database = await freshDatabase();
    await recharge(database, 1, 100);
    const open = await database.db.startTransaction().execute();
    await settle(open, 1, 1);
    const second = inTransaction(database, (trx) => settle(trx, 1, 2));
    await open.commit().execute();
    await expect(second).rejects.toThrow('ledger_accounts_floor');
    expect(await partsOf(database, keyOf(cardAccount(1 as CardId)))).toBe(1);
    expect(await balanceOf(database, 'card:1')).toBe(0);
  });

  test('a wallet that gets its first money twice at once has both', async () => {
    const database = await freshDatabase();
    await Promise.all([1, 2, 3, 4].map((id) => recharge(database, 1, 100, id)));
    expect(await balanceOf(database, 'card:1')).toBe(400);
    expect(await partsOf(database, 'card:1')).toBe(1);
  });
});

function inTransaction<Answer>({ db }: Database, work: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  return db.transaction().execute(work);
}

async function recharge(database: Database, card: number, amountFen: number, id = card): Promise<void> {
  const wallet = cardAccount(card as CardId);
  const made = rechargeTransfer({ id: id as RechargeId, channel: 'back-office', wallet, amountFen: fen(amountFen) });
  if (!made.ok) throw new Error(made.error.code);
  await inTransaction(database, (trx) => postTransfer(trx, made.value, now));
}

/** A fully paid charge of one yuan, 70 fen of it for electricity. */
async function settle(trx: Trx, card: number, order = card): Promise<void> {
  const settled = settleTransfer({
    orderId: order as OrderId,
    siteId,
    wallet: cardAccount(card as CardId),
    held: noParts,
    available: { paidFen: fen(100), giftFen: fen(0) },
    electricityFeeFen: fen(70),
    serviceFeeFen: fen(30),
  });
  if (!settled.ok || settled.value.transfer === null) throw new Error('nothing to settle');
  expect(await postTransfer(trx, settled.value.transfer, now)).toBe(true);
}

async function partsOf({ pool }: Database, key: string): Promise<number> {
  const { rows } = await pool.query<{ parts: number }>(
    'select count(*)::int as parts from ledger_accounts where key = $1',
    [key],
  );
  return rows[0]?.parts ?? 0;
}
