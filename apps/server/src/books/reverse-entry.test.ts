import type { Approval } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { LedgerTransfer, LedgerTransferDetail } from '@voltdeck/contract/books';
import type { MoneyMovement } from '@voltdeck/contract/movements';
import type { Permission } from '@voltdeck/contract/permissions';
import type { WalletGift, WalletTransfer } from '@voltdeck/contract/transfers';
import { channelAccount, keyOf, openingAccount } from '@voltdeck/ledger/account';
import { makeTransfer } from '@voltdeck/ledger/transfer';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const permissions: Permission[] = ['ledger.read', 'ledger.reverse', 'approval.read', 'approval.decide'];

let api: TestApi;
let asker: { token: string };
let second: { token: string };
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  asker = await api.addUser({ name: 'asker', permissions });
  second = await api.addUser({ name: 'second', permissions });
  await api.database.db
    .updateTable('configs')
    .set({ value: 'off' })
    .where('key', 'like', 'second_person_%')
    .where('key', '!=', 'second_person_reversal_fen')
    .execute();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function newPlace(): Promise<Place> {
  places += 1;
  return makePlace(api.database, null, `entry${places}`);
}
const card = (place: Place, part: '' | '-gift' = '') => balanceOf(api.database, `card${part}:${place.cardId}`);
const give = async ({ cardId }: Place, amountFen: number) =>
  (await api.post<WalletGift>('/gifts', { cardId, amountFen, reason: 'A welcome' })).data;
const deduct = async ({ cardId }: Place, amountFen: number) =>
  (await api.post<WalletGift>('/gift-deductions', { cardId, amountFen, reason: 'By mistake' })).data;
const move = async (from: Place, to: Place, amountFen: number) =>
  (await api.post<WalletTransfer>('/transfers', { fromCardId: from.cardId, toCardId: to.cardId, amountFen })).data;
async function idOf(key: string): Promise<number> {
  const { rows } = await api.database.pool.query<{ id: number }>('select id from ledger_transfers where key = $1', [
    key,
  ]);
  if (rows[0] === undefined) throw new Error(`there is no transfer ${key}`);
  return Number(rows[0].id);
}
type Ask = Parameters<TestApi['post']>[2];
const ask = async (key: string, options: Ask = {}) =>
  api.post<Waits>(
    `/ledger/transfers/${await idOf(key)}/reversals`,
    { reason: 'Entered twice' },
    { token: asker.token, language: 'en', ...options },
  );
const decide = (id: number, by = second) =>
  api.post<Approval>(`/approvals/${id}/decisions`, { decision: 'approve' }, { token: by.token, language: 'en' });
const refusalOf = async (key: string) => (await ask(key)).envelope.message;
async function reverse(key: string) {
  const { data } = await ask(key);
  return (await decide(data.waitsFor.id)).data;
}
const detail = async (key: string) =>
  (await api.get<LedgerTransferDetail>(`/ledger/transfers/${await idOf(key)}`, { token: asker.token })).data;
const movements = async ({ cardId }: Place) =>
  (await api.get<{ items: MoneyMovement[] }>(`/movements?cardId=${cardId}`)).data.items
    // What the card had at first.
    .filter(({ type }) => type !== 'system_recharge')
    .toSorted((a, b) => b.id - a.id);

describe('a reversal in the ledger', () => {
  test('a gift waits for a second person whatever its amount, moves nothing meanwhile, and is then taken back', async () => {
    const place = await newPlace();
    const gift = await give(place, 1);
    const key = `gift:${gift.id}`;
    const first = await ask(key, { key: 'once' });
    expect(first.data.waitsFor).toMatchObject({ number: expect.stringMatching(/^P\d{20}$/), hasDecider: true });
    expect((await ask(key, { key: 'once' })).data).toEqual(first.data);
    expect((await ask(key)).data).toEqual(first.data);
    const { id, number } = first.data.waitsFor;
    expect(await card(place, '-gift')).toBe(1);
    expect(await detail(key)).toMatchObject({ reversal: null, waits: [{ number, kind: 'reversal', amountFen: 1 }] });
    expect((await api.get(`/approvals/${id}`, { token: second.token })).data).toMatchObject({
      kind: 'reversal',
      amountFen: 1,
      subjectKind: 'ledger_transfer',
      subjectText: gift.number,
      facts: [
        { name: 'reversed', after: 'approval-reversed.gift' },
        { name: 'takenFrom', after: expect.stringContaining('*') },
        { name: 'gifts', before: 1, after: 0 },
      ],
    });
    expect((await decide(id, asker)).envelope.message.error).toBe('approval.own');
    expect((await decide(id)).data).toMatchObject({ state: 'approved', failure: null });
    expect(await card(place, '-gift')).toBe(0);
    expect(await detail(key)).toMatchObject({
      reversedAt: expect.any(String),
      reversal: { id: expect.any(Number) },
      waits: [],
    });
    const shown = async (state: string) =>
      (await api.get<{ items: WalletGift[] }>(`/gifts?cardId=${place.cardId}&state=${state}`)).data.items;
    expect(await shown('done')).toEqual([]);
    expect(await shown('reversed')).toMatchObject([
      { id: gift.id, state: 'reversed', reversedAt: expect.any(String), reversalReason: 'Entered twice' },
    ]);
    expect(await movements(place)).toMatchObject([
      { number: gift.number, type: 'gift_deducted', state: 'done', giftFen: -1, remark: 'Entered twice' },
      { number: gift.number, type: 'gift', state: 'reversed', giftFen: 1 },
    ]);
    const log = await api.get<{ items: object[] }>(`/audit-entries?recordKind=wallet_gift&action=ledger.reverse`);
    expect(log.data.items).toMatchObject([{ recordId: String(gift.id), kind: 'money' }]);
  });

  test('a deduction of gifts is returned', async () => {
    const place = await newPlace();
    await give(place, 500);
    const { id } = await deduct(place, 300);
    expect(await card(place, '-gift')).toBe(200);
    expect(await reverse(`gift-deduction:${id}`)).toMatchObject({ state: 'approved' });
    expect(await card(place, '-gift')).toBe(500);
    expect((await movements(place)).map(({ type, state, giftFen }) => [type, state, giftFen])).toEqual([
      ['gift', 'done', 300],
      ['gift_deducted', 'reversed', -300],
      ['gift', 'done', 500],
    ]);
  });

  test('a transfer goes back with a movement of both sides, and repays what its giver owes meanwhile', async () => {
    const [from, to] = [await newPlace(), await newPlace()];
    const { id, number } = await move(from, to, 4_000);
    const orderId = await makeSettledOrder(api.database, from, {
      electricityFeeFen: 7_000,
      serviceFeeFen: 0,
      settledAt: instant(now - minuteMs),
    });
    expect(await balanceOf(api.database, `receivable:card:${from.cardId}`)).toBe(-1_000);
    const key = `transfer:${id}`;
    const { data } = await ask(key);
    const read = await api.get<{ facts: object[] }>(`/approvals/${data.waitsFor.id}`, { token: second.token });
    expect(read.data.facts).toMatchObject([
      { name: 'reversed', after: 'approval-reversed.transfer' },
      { name: 'takenFrom' },
      { name: 'balance', before: 14_000, after: 10_000 },
      { name: 'returnedTo' },
      { name: 'receiverBalance', before: 0, after: 4_000 },
    ]);
    expect((await decide(data.waitsFor.id)).data).toMatchObject({ state: 'approved' });
    expect([await card(from), await card(to)]).toEqual([3_000, 10_000]);
    expect((await api.get(`/orders/${orderId}`)).data).toMatchObject({ paymentState: 'paid', owedFen: 0 });
    const listed = await api.get<{ items: WalletTransfer[] }>(`/transfers?number=${number}`);
    expect(listed.data.items).toMatchObject([{ state: 'reversed', reversalReason: 'Entered twice' }]);
    expect((await movements(to)).map(({ type, state, paidFen }) => [type, state, paidFen])).toEqual([
      ['transfer', 'done', -4_000],
      ['transfer', 'reversed', 4_000],
    ]);
  });

  test('prepaid money of an agent leaves the prepaid account', async () => {
    const agentId = await api.addAgent('Prepays');
    const filled = await api.post<{ id: number }>(`/agents/${agentId}/recharges`, {
      amountFen: 900,
      reason: 'Paid in',
    });
    const key = `agent-recharge:${filled.data.id}`;
    expect(await reverse(key)).toMatchObject({ state: 'approved' });
    expect(await balanceOf(api.database, `agent-prepaid:${agentId}`)).toBe(0);
    expect(await refusalOf(key)).toMatchObject({ status: 409, error: 'reversal.already_reversed' });
    const again = await api.post<{ id: number }>(`/agents/${agentId}/recharges`, { amountFen: 900, reason: 'Paid in' });
    await api.database.pool.query(
      `update ledger_accounts set balance_fen = balance_fen - 500 where key = 'agent-prepaid:${agentId}'`,
    );
    expect((await refusalOf(`agent-recharge:${again.data.id}`)).message).toBe(
      'Only ¥4.00 of the ¥9.00 is left: what was spent cannot be taken back',
    );
    await api.database.pool.query(
      `update ledger_accounts set balance_fen = balance_fen + 500 where key = 'agent-prepaid:${agentId}'`,
    );
  });

  test('a limit in yuan lets no reversal pass, and only “off” does', async () => {
    const set = (value: string) =>
      api.database.db.updateTable('configs').set({ value }).where('key', '=', 'second_person_reversal_fen').execute();
    const place = await newPlace();
    const { id } = await give(place, 100);
    await set('99999999');
    const waiting = (await ask(`gift:${id}`)).data.waitsFor;
    expect(waiting).toMatchObject({ id: expect.any(Number) });
    await set('off');
    const done = await ask(`gift:${id}`, { key: 'at-once' });
    await set('0');
    expect(done.data).toMatchObject({ key: `gift:${id}`, reversal: { id: expect.any(Number) } });
    expect((await ask(`gift:${id}`, { key: 'at-once' })).data).toEqual(done.data);
    expect(await card(place, '-gift')).toBe(0);
    expect((await api.get(`/approvals/${waiting.id}`)).data).toMatchObject({
      state: 'obsolete',
      facts: [{ name: 'reversed' }, { name: 'takenFrom' }, { name: 'gifts', before: 100, after: 0 }],
    });
  });

  test('reversed gifts and prepaid money no longer count in what a user may enter on a day', async () => {
    const place = await newPlace();
    const agentId = await api.addAgent('Counts');
    const maker = await api.addUser({ name: 'maker', permissions: ['gift.create', 'agent.recharge', 'customer.read'] });
    const limit = (value: string) =>
      api.database.db.updateTable('configs').set({ value }).where('key', '=', 'recharge_day_limit_fen').execute();
    const before = (
      await api.database.pool.query<{ value: string }>(`select value from configs where key = 'recharge_day_limit_fen'`)
    ).rows[0]?.value;
    await limit('1000');
    const { token } = maker;
    const gift = await api.post<WalletGift>(
      '/gifts',
      { cardId: place.cardId, amountFen: 600, reason: 'Twice' },
      { token },
    );
    const filled = await api.post<{ id: number }>(
      `/agents/${agentId}/recharges`,
      { amountFen: 400, reason: 'Twice' },
      { token },
    );
    const more = () => api.post('/gifts', { cardId: place.cardId, amountFen: 1_000, reason: 'Again' }, { token });
    expect((await more()).envelope.message.error).toBe('recharge.day_limit');
    await reverse(`gift:${gift.data.id}`);
    expect((await more()).envelope.message.error).toBe('recharge.day_limit');
    await reverse(`agent-recharge:${filled.data.id}`);
    expect((await more()).status).toBe(200);
    await limit(before ?? '0');
  });
});

describe('what is not reversed in the ledger', () => {
  test.each([
    ['recharge', 'reversal.recharge', 'Reverse the recharge itself, in the list of recharges'],
    ['hold', 'reversal.order', 'This transfer belongs to an order: refund or settle the order on its page'],
    ['charge_settled', 'reversal.order', 'This transfer belongs to an order: refund or settle the order on its page'],
    ['debt_repaid', 'reversal.debt', expect.stringContaining('settled a debt')],
    ['withdrawal', 'reversal.payout', expect.stringContaining('belongs to a payout')],
    ['opening', 'reversal.automatic', 'Nobody entered this transfer, so it cannot be reversed here'],
    ['reversal', 'reversal.of_reversal', expect.stringContaining('is a reversal itself')],
  ] as const)('a %s is refused with where to undo it', async (reason, error, message) => {
    const key = `refused:${reason.replaceAll('_', '-')}`;
    const posting = { from: keyOf(channelAccount('front-desk')), to: keyOf(openingAccount), amountFen: fen(1) };
    const made = makeTransfer({ key, reason, postings: [posting] });
    if (!made.ok) throw new Error(made.error.code);
    await api.database.db.transaction().execute((trx) => postTransfer(trx, made.value, now));
    expect(await refusalOf(key)).toMatchObject({ status: 409, error, message });
  });

  test('what was spent is not taken back, neither when it is asked for nor when it is approved', async () => {
    const [place, to] = [await newPlace(), await newPlace()];
    const { id } = await give(place, 700);
    const { data } = await ask(`gift:${id}`);
    await deduct(place, 300);
    expect((await decide(data.waitsFor.id)).data).toMatchObject({
      state: 'failed',
      failure: {
        code: 'reversal.spent',
        message: 'Only ¥4.00 of the ¥7.00 is left: what was spent cannot be taken back',
      },
    });
    expect(await card(place, '-gift')).toBe(400);
    expect(await refusalOf(`gift:${id}`)).toMatchObject({ status: 409, error: 'reversal.spent' });
    const moved = await move(place, to, 1_000);
    await move(to, place, 10_500);
    expect((await refusalOf(`transfer:${moved.id}`)).message).toContain('Only ¥5.00 of the ¥10.00 is left');
  });

  test('what repaid a debt is refused, and the order stays paid', async () => {
    const place = await newPlace();
    const orderId = await makeSettledOrder(api.database, place, {
      electricityFeeFen: 10_600,
      serviceFeeFen: 0,
      settledAt: instant(now - minuteMs),
    });
    const { id } = await give(place, 800);
    expect(await refusalOf(`gift:${id}`)).toMatchObject({
      error: 'reversal.repaid_debts',
      message: '¥6.00 of it repaid debts and is no longer in the balance, so it cannot be reversed',
    });
    expect((await api.get(`/orders/${orderId}`)).data).toMatchObject({ paymentState: 'paid', owedFen: 0 });
  });

  test('the wallets of a cancelled or replaced card and of a merged user are closed', async () => {
    const [cancelled, other, replaced, merged] = [
      await newPlace(),
      await newPlace(),
      await newPlace(),
      await newPlace(),
    ];
    const paid = await move(cancelled, other, 200);
    await api.post(`/cards/${cancelled.cardId}/cancellations`, { reason: 'Moved away' });
    const given = await give(replaced, 300);
    await api.post(`/cards/${replaced.cardId}/replacements`, { number: 'BEEF0000000000F6' });
    const gift = await api.post<WalletGift>('/gifts', {
      customerId: merged.customerId,
      amountFen: 5,
      reason: 'A welcome',
    });
    await api.post(`/customers/${merged.customerId}/merges`, { intoId: other.customerId, reason: 'One person' });
    const open = await give(other, 300);
    expect((await detail(`gift:${open.id}`)).walletClosed).toBe(false);
    const { rows } = await api.database.pool.query<{ key: string }>(
      `select 'transfer:' || id as key from wallet_transfers where kind <> 'between'`,
    );
    expect(rows).toHaveLength(2);
    for (const key of [
      `transfer:${paid.id}`,
      `gift:${given.id}`,
      `gift:${gift.data.id}`,
      ...rows.map((row) => row.key),
    ]) {
      expect((await detail(key)).walletClosed).toBe(true);
      expect(await refusalOf(key)).toMatchObject({ status: 409, error: 'reversal.wallet_closed' });
    }
  });

  test('of two people who reverse or approve at once one succeeds, and the money moves once', async () => {
    const place = await newPlace();
    const { id } = await give(place, 700);
    const asked = await Promise.all([ask(`gift:${id}`), ask(`gift:${id}`, { token: second.token })]);
    expect(new Set(asked.map(({ data }) => data.waitsFor.id)).size).toBe(1);
    const third = await api.addUser({ name: 'third', permissions });
    const fourth = await api.addUser({ name: 'fourth', permissions });
    const approval = asked[0]?.data.waitsFor.id ?? 0;
    const decided = await Promise.all([decide(approval, third), decide(approval, fourth)]);
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await card(place, '-gift')).toBe(0);
    expect(await refusalOf(`gift:${id}`)).toMatchObject({ error: 'reversal.already_reversed' });
  });

  test('only the platform’s people with the permission reverse, with a reason', async () => {
    const place = await newPlace();
    const { id } = await give(place, 10);
    const transferId = await idOf(`gift:${id}`);
    const reader = await api.addUser({ name: 'reader', permissions: ['ledger.read'] });
    expect((await ask(`gift:${id}`, { token: reader.token })).status).toBe(403);
    const agentId = await api.addAgent('Nosy');
    const nosy = await api.addUser({ name: 'nosy', permissions, scope: 'agent', agentId });
    expect((await ask(`gift:${id}`, { token: nosy.token })).envelope.message.error).toBe('record.not_found');
    expect((await api.post(`/ledger/transfers/${transferId}/reversals`, { reason: '' })).status).toBe(422);
    expect((await api.post('/ledger/transfers/999999999/reversals', { reason: 'Nothing' })).status).toBe(404);
    const listed = await api.get<{ items: LedgerTransfer[] }>(`/ledger/transfers?reason=gift&pageSize=1`);
    expect(listed.data.items).toMatchObject([{ id: transferId, reversedAt: null }]);
  });
});
