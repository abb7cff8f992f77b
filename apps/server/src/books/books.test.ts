import type {
  AccountParty,
  getLedgerAccount,
  getLedgerBalances,
  LedgerAccount,
  LedgerTransfer,
  LedgerTransferDetail,
  ProofRun,
  ProofState,
} from '@voltdeck/contract/books';
import type { AnswerOf } from '@voltdeck/contract/route';
import { cardAccount, channelAccount, keyOf } from '@voltdeck/ledger/account';
import { makeTransfer } from '@voltdeck/ledger/transfer';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { proofGauges } from '../ledger/proof-gauges.ts';
import { proveAndRecord } from '../ledger/record-proofs.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';

type Page<Item> = { items: Item[]; total: number };

let api: TestApi;
let place: Place;
let orderNumber: string;
let rechargeId: number;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  const agentId = await api.addAgent('Agent books');
  place = await makePlace(api.database, agentId, 'books');
  const settledAt = instant(now - 30 * minuteMs);
  const orderId = await makeSettledOrder(api.database, place, {
    electricityFeeFen: 700,
    serviceFeeFen: 400,
    settledAt,
  });
  orderNumber = (await api.get<{ number: string }>(`/orders/${orderId}`)).data.number;
  rechargeId = (await api.post<{ id: number }>('/recharges', { cardNumber: place.cardNumber, amountFen: 700 })).data.id;
});
afterAll(() => api.close());

const accounts = async (query = '') =>
  (await api.get<Page<LedgerAccount>>(`/ledger/accounts?pageSize=100&${query}`)).data.items;
const transfers = async (query = '') =>
  (await api.get<Page<LedgerTransfer>>(`/ledger/transfers?pageSize=100&${query}`)).data.items;
const keys = async (query: string) => (await accounts(query)).map(({ key }) => key).sort();
const reasons = async (query: string) => (await transfers(query)).map(({ reason }) => reason);

async function accountOf(key: string) {
  const found = (await accounts()).find((account) => account.key === key);
  if (found === undefined) throw new Error(`there is no account ${key}`);
  return (await api.get<AnswerOf<typeof getLedgerAccount>>(`/ledger/accounts/${found.id}`)).data;
}

async function transferOf(key: string) {
  const found = (await transfers()).find((transfer) => transfer.key === key);
  if (found === undefined) throw new Error(`there is no transfer ${key}`);
  return (await api.get<LedgerTransferDetail>(`/ledger/transfers/${found.id}`)).data;
}

/** A correction from the front desk's channel to the card. */
async function correct(key: string, amountFen: number, at: Instant = now) {
  const postings = [
    { from: keyOf(channelAccount('front-desk')), to: keyOf(cardAccount(place.cardId)), amountFen: fen(amountFen) },
  ];
  const made = makeTransfer({ key, reason: 'correction', postings });
  if (!made.ok) throw new Error(made.error.code);
  await api.database.db.transaction().execute((trx) => postTransfer(trx, made.value, at));
}

describe('the accounts of the books', () => {
  test('an account is listed once with its whole balance, however many rows it is kept in', async () => {
    const { pool } = api.database;
    await pool.query(`insert into ledger_accounts (key, shard, may_go_below_zero, balance_fen)
                      values ('channel:alipay', 7, true, -30), ('channel:alipay', 9, true, -12)`);
    const [account, ...others] = (await accounts()).filter(({ key }) => key === 'channel:alipay');
    expect(others).toEqual([]);
    expect(account).toMatchObject({ kind: 'channel', channel: 'alipay', balanceFen: -42 });
    expect((await accountOf('channel:alipay')).balanceFen).toBe(-42);
    await pool.query(`delete from ledger_accounts where key = 'channel:alipay'`);
  });

  test('an account names its owner and the record to look at', async () => {
    expect(await accountOf(`card:${place.cardId}`)).toMatchObject({
      kind: 'card',
      cardId: place.cardId,
      cardNumber: place.cardNumber,
      siteId: null,
    });
    const income = await accountOf(`electricity-income:site:${place.siteId}`);
    expect(income).toMatchObject({ kind: 'electricity-income', siteId: place.siteId, siteName: 'Site books' });
  });

  test('accounts are found by kind, by the sign of their balance and by their owner', async () => {
    expect(await keys('kind=card')).toEqual([`card:${place.cardId}`]);
    expect(await keys('kind=card,channel&balance=below')).toEqual(['channel:back-office', 'channel:front-desk']);
    expect(await keys('balance=below')).toEqual(['channel:back-office', 'channel:front-desk']);
    expect(await keys('kind=card&balance=below')).toEqual([]);
    expect(await keys(`cardNumber=${place.cardNumber}&balance=above`)).toEqual([`card:${place.cardId}`]);
    expect(await keys(`cardNumber=${place.cardNumber}&balance=zero`)).toEqual([]);
    expect(await keys(`phone=${place.phone}`)).toEqual([]);
    expect(await keys(`siteId=${place.siteId}`)).toEqual([
      `electricity-income:site:${place.siteId}`,
      `service-income:site:${place.siteId}`,
    ]);
    expect(await keys(`siteId=${place.siteId + 1}`)).toEqual([]);
  });

  test('the movements of an account add up to its balance, the newest first', async () => {
    const { balanceFen, movements, hasMore } = await accountOf(`card:${place.cardId}`);
    expect(hasMore).toBe(false);
    expect(movements[0]).toMatchObject({ reason: 'recharge', changeFen: 700, balanceAfterFen: balanceFen });
    let leftFen: number = balanceFen;
    for (const { changeFen, balanceAfterFen } of movements) {
      expect(balanceAfterFen).toBe(leftFen);
      leftFen -= changeFen;
    }
    expect(leftFen).toBe(0);
    expect(movements.every(({ other }) => other.key !== `card:${place.cardId}`)).toBe(true);
  });

  test('the balances by kind count each account once and sum to zero', async () => {
    const { kinds, sumFen } = (await api.get<AnswerOf<typeof getLedgerBalances>>('/ledger/balances')).data;
    const listed = await accounts();
    expect(sumFen).toBe(0);
    for (const { kind, accounts: count, balanceFen } of kinds) {
      const ofKind = listed.filter((account) => account.kind === kind);
      expect([kind, count]).toEqual([kind, ofKind.length]);
      expect(balanceFen).toBe(ofKind.reduce((sum, account) => sum + account.balanceFen, 0));
    }
    expect(kinds.reduce((sum, { accounts: count }) => sum + count, 0)).toBe(listed.length);
  });
});

describe('the transfers of the books', () => {
  test('a transfer is listed with the amount of all its postings and both sides of the first', async () => {
    const [recharge] = await transfers('reason=recharge&fromFen=700&toFen=700');
    expect(recharge).toMatchObject({
      key: `recharge:${rechargeId}`,
      amountFen: 700,
      postingCount: 1,
      from: { kind: 'channel', channel: 'back-office' },
      to: { kind: 'card', cardNumber: place.cardNumber },
    });
    const [settled] = await transfers('reason=charge_settled');
    const { postings } = await transferOf(settled?.key ?? '');
    expect(settled?.postingCount).toBe(postings.length);
    expect(settled?.amountFen).toBe(postings.reduce((sum, { amountFen }) => sum + amountFen, 0));
  });

  test('transfers are found by reason, amount, order, period and account', async () => {
    expect(await reasons('reason=recharge,charge_settled&fromFen=701')).toEqual(['recharge', 'charge_settled']);
    expect(await reasons(`orderNumber=${orderNumber}`)).toEqual(['charge_settled']);
    expect(await reasons('orderNumber=none')).toEqual([]);
    const from = toIso(instant(now - minuteMs));
    expect(await reasons(`to=${toIso(instant(now))}&from=${from}`)).toEqual(['recharge']);
    expect(await reasons(`account=electricity-income:site:${place.siteId}`)).toEqual(['charge_settled']);
    expect(await reasons(`cardNumber=${place.cardNumber}&reason=recharge`)).toHaveLength(2);
    expect(await reasons('account=card:999')).toEqual([]);
    expect(await reasons(`phone=${place.phone}`)).toEqual([]);
  });

  test('a transfer leads to the record that it comes from', async () => {
    expect((await transferOf(`recharge:${rechargeId}`)).cause).toMatchObject({ kind: 'recharge', id: rechargeId });
    const [settled] = await transfers('reason=charge_settled');
    expect((await transferOf(settled?.key ?? '')).cause).toMatchObject({ kind: 'order', number: orderNumber });
    await correct('by-hand:1', 5);
    expect((await transferOf('by-hand:1')).cause).toBeNull();
  });

  test('a reversal and what it reverses name each other', async () => {
    await correct('by-hand:2', 5);
    expect(await transferOf('by-hand:2')).toMatchObject({ reversal: null, reversedAt: null });
    await api.database.db.transaction().execute((trx) => reverseTransfer(trx, 'by-hand:2', now));
    const reversed = await transferOf('by-hand:2');
    const reversal = await transferOf('by-hand:2:reversal');
    expect(reversed).toMatchObject({ reversal: { id: reversal.id }, reverses: null, reversedAt: toIso(now) });
    expect(reversal).toMatchObject({ reason: 'reversal', reversal: null, reverses: { id: reversed.id } });
    expect((await transfers()).find(({ id }) => id === reversed.id)?.reversedAt).toBe(toIso(now));
  });

  test('cards and phones of the books are masked for whoever may not see them', async () => {
    const { token } = await api.addUser({ name: 'masked', permissions: ['ledger.read'] });
    const seen = await Promise.all(
      ['/ledger/transfers', '/ledger/accounts', `/ledger/accounts/${(await accounts('kind=card'))[0]?.id}`].map(
        (path) => api.get(path, { token }),
      ),
    );
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { text } of seen) expect(text).not.toContain(place.cardNumber);
    const found = await api.get<Page<LedgerTransfer>>(`/ledger/transfers?cardNumber=${place.cardNumber}`, { token });
    const parties = found.data.items.flatMap(({ from, to }): AccountParty[] => [from, to]);
    expect(parties.find(({ kind }) => kind === 'card')?.cardNumber).toMatch(/^AAAA\*+/);
  });
});

describe('the proof of the books on record', () => {
  const state = async () => (await api.get<ProofState>('/ledger/proof-state')).data;
  const runs = async (query = '') => (await api.get<Page<ProofRun>>(`/ledger/proof-runs?${query}`)).data.items;
  const told = async (name: string) => {
    const gauges = proofGauges(api.database.db, () => instant(now + 5 * minuteMs));
    const read = await Promise.all(gauges.map((gauge) => gauge.get()));
    return read.find((gauge) => gauge.name === name)?.values[0]?.value;
  };

  test('the state of the books tells how far they are proven and what is left', async () => {
    const before = await state();
    expect(before).toMatchObject({ lastRun: null, provenTo: 0, roundEndedAt: null, differences: [] });
    expect(before.behind).toBe((await transfers()).length);
    expect(await told('voltdeck_ledger_proven_seconds_ago')).toBeNaN();
    expect(await told('voltdeck_ledger_transfers_behind')).toBe(before.behind);
    await proveAndRecord(api.database.db, now);
    expect(await state()).toMatchObject({
      lastRun: { kind: 'new', outcome: 'compared', transfers: before.behind, behind: 0, differences: 0 },
      behind: 0,
      roundEndedAt: toIso(now),
    });
    expect(await told('voltdeck_ledger_proven_seconds_ago')).toBe(300);
    expect(await told('voltdeck_ledger_transfers_behind')).toBe(0);
  });

  test('a balance that differs from its postings is named with both sums until it is mended', async () => {
    const { pool, db } = api.database;
    const key = `card:${place.cardId}`;
    await pool.query(`update ledger_accounts set balance_fen = balance_fen + 5 where key = $1`, [key]);
    await proveAndRecord(db, now);
    const { differences, lastRun } = await state();
    expect(lastRun?.differences).toBe(1);
    expect(differences).toMatchObject([{ account: { key, cardNumber: place.cardNumber } }]);
    expect((differences[0]?.keptFen ?? 0) - (differences[0]?.postedFen ?? 0)).toBe(5);
    expect(await told('voltdeck_ledger_differences')).toBe(1);
    expect(await runs('different=true')).toHaveLength(1);
    await pool.query(`update ledger_accounts set balance_fen = balance_fen - 5 where key = $1`, [key]);
    await proveAndRecord(db, now);
    expect((await state()).differences).toEqual([]);
  });

  test('the proof of everything is kept with who asked, and names what changed after it was proven', async () => {
    const { pool } = api.database;
    const sound = await api.get<{ mismatches: number; transfers: number }>('/ledger/proof');
    expect(sound.data).toMatchObject({ sumFen: 0, mismatches: 0, transfers: (await transfers()).length });
    expect((await runs('kind=whole'))[0]).toMatchObject({ sumFen: 0, differences: 0, userName: expect.any(String) });
    const change = async (by: string) => {
      await pool.query('alter table ledger_postings disable trigger user');
      await pool.query(
        `update ledger_postings set amount_fen = amount_fen ${by}
                         where transfer_id = (select id from ledger_transfers where key = $1)`,
        [`recharge:${rechargeId}`],
      );
      await pool.query('alter table ledger_postings enable trigger user');
    };
    await change('+ 3');
    expect((await api.get('/ledger/proof')).data).toMatchObject({ mismatches: 2 });
    await proveAndRecord(api.database.db, now);
    const { differences, wholeDifferences, lastWhole } = await state();
    expect(differences).toEqual([]);
    expect(lastWhole?.differences).toBe(2);
    expect(new Set(wholeDifferences.map(({ account }) => account.key))).toEqual(
      new Set([`card:${place.cardId}`, 'channel:back-office']),
    );
    await change('- 3');
    await api.get('/ledger/proof');
    expect((await state()).wholeDifferences).toEqual([]);
  });
});
