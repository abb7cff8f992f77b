import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Recharge } from '@voltdeck/contract/payments';
import type { Withdrawal } from '@voltdeck/contract/withdrawals';
import { customerAccount } from '@voltdeck/ledger/account';
import { giftTransfer } from '@voltdeck/ledger/recharge';
import type { CustomerId, WithdrawalId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deliverNotifications, embeddedChannels } from '../channels/test-channels.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { endPayout } from './end-payout.ts';

let api: TestApi;
let desk: { token: string };
const phone = '13800000001';
const customerId = 1 as CustomerId;

beforeEach(async () => {
  api = await openTestApi({ channelsOf: embeddedChannels() });
  desk = await api.addUser({
    name: 'desk',
    permissions: ['withdrawal.create', 'withdrawal.read', 'withdrawal.review', 'personal.reveal'],
  });
  await api.post('/customers', { phone, nickname: 'Li' });
  await api.post<Recharge>('/recharges', { customerPhone: phone, amountFen: 50_000 });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function give(amountFen: number): Promise<void> {
  const transfer = soundTransfer(
    giftTransfer({ id: 1, wallet: customerAccount(customerId), amountFen: fen(amountFen) }),
  );
  await api.database.db.transaction().execute((trx) => postTransfer(trx, transfer, instant(Date.now())));
}

async function setParameter(key: string, value: string): Promise<void> {
  await api.database.db.updateTable('configs').set({ value }).where('key', '=', key).execute();
}

const apply = (amountFen: number, over: object = {}) =>
  api.post<Withdrawal>(
    '/withdrawals',
    { customerPhone: phone, amountFen, ...over },
    { language: 'en', token: desk.token },
  );
const review = (id: number, decision: 'pass' | 'reject', reason?: string) =>
  api.post<Withdrawal>(`/withdrawals/${id}/reviews`, { decision, reason }, { language: 'en' });
const money = async () => {
  const { data } = await api.get<Record<string, number>>(`/customers/${customerId}`);
  const { paidFen, giftFen, frozenFen } = data;
  return { paidFen, giftFen, frozenFen };
};
const movements = () =>
  api.database.db
    .selectFrom('movements')
    .select(['type', 'paid_fen', 'gift_fen', 'paid_after_fen', 'gift_after_fen'])
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute();

describe('an application', () => {
  test('an application freezes its money and takes gifts in its proportion, until it is rejected', async () => {
    await give(1_001);
    const applied = await apply(20_000, { remark: 'moving away' });
    expect(applied.data).toMatchObject({
      customerPhone: phone,
      state: 'waiting',
      amountFen: 20_000,
      giftFen: 400,
      feeFen: 0,
      payoutFen: 20_000,
      way: 'desk',
      frozen: true,
      appliedByName: 'desk',
    });
    expect(applied.data.number).toMatch(/^W\d{20}$/);
    expect(await money()).toEqual({ paidFen: 30_000, giftFen: 601, frozenFen: 20_000 });
    const rejected = await review(applied.data.id, 'reject', 'not his account');
    expect(rejected.data).toMatchObject({ state: 'failed', frozen: false, failure: 'not his account' });
    expect(await money()).toEqual({ paidFen: 50_000, giftFen: 1_001, frozenFen: 0 });
    expect((await movements()).slice(1)).toEqual([
      { type: 'withdrawal', paid_fen: -20_000, gift_fen: 0, paid_after_fen: 30_000, gift_after_fen: 601 },
      { type: 'gift_deducted', paid_fen: 0, gift_fen: -400, paid_after_fen: 30_000, gift_after_fen: 601 },
      { type: 'refund_failed', paid_fen: 20_000, gift_fen: 400, paid_after_fen: 50_000, gift_after_fen: 1_001 },
    ]);
  });

  test('an application stays between the least amount and the paid balance, and the message has the range', async () => {
    await setParameter('withdrawal_min_fen', '500');
    for (const amountFen of [499, 50_001]) {
      const refused = await apply(amountFen);
      expect(refused.envelope.message).toMatchObject({
        error: 'withdrawal.out_of_range',
        message: 'The amount must be between ¥5.00 and ¥500.00.',
      });
    }
    const chinese = await api.post('/withdrawals', { customerPhone: phone, amountFen: 1 }, { language: 'zh-CN' });
    expect(chinese.envelope.message.message).toBe('提现金额应在 5.00 元至 500.00 元之间');
    await setParameter('withdrawal_min_fen', '50001');
    expect((await apply(50_000)).envelope.message).toMatchObject({
      error: 'withdrawal.too_little',
      message: '¥500.00 of paid money is left; the least withdrawal is ¥500.01.',
    });
    await setParameter('withdrawal_min_fen', '500');
    await give(10_000);
    expect((await apply(50_001)).envelope.message.error).toBe('withdrawal.out_of_range');
    expect((await apply(50_000)).status).toBe(200);
    expect(await money()).toEqual({ paidFen: 0, giftFen: 0, frozenFen: 50_000 });
  });

  test('a fee is kept by the platform and never exceeds the amount', async () => {
    await setParameter('withdrawal_fee_bp', '60');
    const { data } = await apply(12_345);
    expect(data).toMatchObject({ feeFen: 74, payoutFen: 12_271 });
    await review(data.id, 'pass');
    await api.post(`/withdrawals/${data.id}/payments`, { receipt: 'K-17' });
    const { rows } = await api.database.pool.query<{ key: string; fen: number }>(
      `select key, sum(balance_fen)::bigint as fen from ledger_accounts where key in ('channel:back-office', 'withdrawal-fee') group by key order by key`,
    );
    expect(rows).toEqual([
      { key: 'channel:back-office', fen: 12_271 - 50_000 },
      { key: 'withdrawal-fee', fen: 74 },
    ]);
    await setParameter('withdrawal_fee_bp', '10000');
    expect((await apply(200)).envelope.message.error).toBe('withdrawal.below_fee');
  });

  test('applications are limited per day, and simultaneous ones cannot take the same money twice', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => apply(20_000)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await money()).toEqual({ paidFen: 10_000, giftFen: 0, frozenFen: 40_000 });
    expect((await apply(100)).status).toBe(200);
    expect((await apply(100)).envelope.message).toMatchObject({ error: 'withdrawal.too_many_today', status: 429 });
  });

  test('play money of the test channel leaves by that channel alone, and the rest by any', async () => {
    const { data } = await api.post<{ pageUrl: string }>('/recharge-codes', {
      customerId,
      amountFen: 20_000,
      channel: 'embedded',
    });
    await api.post(`${new URL(data.pageUrl).pathname}/acts`, { act: 'pay' });
    await deliverNotifications(api);
    expect(await money()).toMatchObject({ paidFen: 70_000 });
    const refused = await apply(50_001);
    expect(refused.envelope.message).toMatchObject({ error: 'withdrawal.play_money', status: 422 });
    expect(refused.envelope.message.message).toContain('¥500.00');
    expect((await apply(20_000, { way: 'embedded', payeeAccount: 'openid-1' })).status).toBe(200);
    expect((await apply(50_000)).status).toBe(200);
    expect(await money()).toEqual({ paidFen: 0, giftFen: 0, frozenFen: 70_000 });
  });

  test('play money stays play money when it is transferred, merged or refunded, and leaves no card as cash', async () => {
    const playInto = async (target: object) => {
      const body = { ...target, amountFen: 20_000, channel: 'embedded' };
      const { data } = await api.post<{ pageUrl: string }>('/recharge-codes', body);
      await api.post(`${new URL(data.pageUrl).pathname}/acts`, { act: 'pay' });
      await deliverNotifications(api);
    };
    await setParameter('second_person_transfer_fen', 'off');
    await setParameter('second_person_withdrawal_fen', 'off');
    await setParameter('withdrawals_per_day', '100');
    const [friendPhone, mergedPhone] = ['13800000002', '13800000003'];
    await api.post('/customers', { phone: friendPhone, nickname: 'Friend' });
    const merged = await api.post<{ id: number }>('/customers', { phone: mergedPhone, nickname: 'Li, again' });
    const takes = async (who: string, amountFen: number) =>
      (await apply(amountFen, { customerPhone: who })).envelope.message;

    await playInto({ customerId: merged.data.id });
    const between = { fromCustomerPhone: mergedPhone, toCustomerPhone: friendPhone, amountFen: 5_000, reason: 'gift' };
    expect((await api.post('/transfers', between)).status).toBe(200);
    await setParameter('second_person_reversal_fen', 'off');
    const { transfer_id } = await api.database.db
      .selectFrom('movements')
      .select('transfer_id')
      .where('type', '=', 'transfer')
      .executeTakeFirstOrThrow();
    const reversed = await api.post(`/ledger/transfers/${transfer_id}/reversals`, { reason: 'mistake' });
    expect(reversed.status).toBe(200);
    expect(await takes(mergedPhone, 100)).toMatchObject({ error: 'withdrawal.play_money' });
    expect((await api.post('/transfers', between)).status).toBe(200);
    expect(await takes(friendPhone, 5_000)).toMatchObject({ error: 'withdrawal.play_money' });

    const merge = await api.post(`/customers/${merged.data.id}/merges`, { intoId: customerId, reason: 'same person' });
    expect(merge.status).toBe(200);
    expect(await money()).toMatchObject({ paidFen: 65_000 });
    expect(await takes(phone, 50_001)).toMatchObject({ error: 'withdrawal.play_money' });

    const card = await api.post<{ id: number }>('/cards', { number: 'CAFE00000000AAAA' });
    await playInto({ cardId: card.data.id });
    const replaced = await api.post<{ id: number }>(`/cards/${card.data.id}/replacements`, {
      number: 'CAFE00000000BBBB',
    });
    const cancel = (payout: string) =>
      api.post(`/cards/${replaced.data.id}/cancellations`, { payout, reason: 'left' }, { language: 'en' });
    expect((await cancel('cash')).envelope.message).toMatchObject({ error: 'card.play_money', status: 422 });
    await api.ask('PUT', `/cards/${replaced.data.id}/holder`, { body: { customerPhone: phone } });
    expect((await cancel('customer')).status).toBe(200);
    expect(await money()).toMatchObject({ paidFen: 85_000 });
    expect(await takes(phone, 50_001)).toMatchObject({ error: 'withdrawal.play_money' });
    expect((await takes(phone, 50_000)).status).toBe(200);
  });

  test('a payment by a bank needs an account, and a disabled user or an agent’s user applies for nothing', async () => {
    const bank = await apply(100, { way: 'bank' });
    expect(bank.envelope.message.fields).toMatchObject([{ path: 'payeeAccount' }]);
    const agentId = await api.addAgent('own');
    const { token } = await api.addUser({ name: 'clerk', permissions: ['withdrawal.create'], scope: 'agent', agentId });
    const denied = await api.post('/withdrawals', { customerPhone: phone, amountFen: 100 }, { token });
    expect(denied.status).toBe(403);
    await api.database.db.updateTable('customers').set({ state: 'disabled' }).execute();
    expect((await apply(100)).envelope.message.error).toBe('customer.disabled');
  });
});

describe('a review', () => {
  test('a rejection needs a reason, and what was decided is not decided again', async () => {
    const { data } = await apply(1_000);
    expect((await review(data.id, 'reject')).envelope.message.error).toBe('review.reason_required');
    expect((await review(data.id, 'pass')).data).toMatchObject({ state: 'in_review', reviewedByName: 'Administrator' });
    expect((await review(data.id, 'pass')).envelope.message.error).toBe('withdrawal.already_reviewed');
    expect((await api.post(`/withdrawals/${data.id}/retries`)).envelope.message.error).toBe('withdrawal.not_failed');
    // Nobody has paid it yet, so it can still be rejected.
    expect((await review(data.id, 'reject', 'account closed')).data).toMatchObject({ state: 'failed' });
    expect((await review(data.id, 'reject', 'again')).envelope.message.error).toBe('withdrawal.already_reviewed');
    expect((await api.post(`/withdrawals/${data.id}/payments`, { receipt: 'x' })).envelope.message.error).toBe(
      'withdrawal.not_payable',
    );
    expect(await money()).toEqual({ paidFen: 50_000, giftFen: 0, frozenFen: 0 });
  });

  test('a payment by hand is recorded once and leaves nothing frozen', async () => {
    const { data } = await apply(1_000, { way: 'bank', payeeAccount: '6222020200001234567', payeeName: 'Li' });
    expect((await api.post(`/withdrawals/${data.id}/payments`, { receipt: 'x' })).envelope.message.error).toBe(
      'withdrawal.not_payable',
    );
    await review(data.id, 'pass');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post<Withdrawal>(`/withdrawals/${data.id}/payments`, { receipt: 'T-1' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { data: paid } = await api.get<Withdrawal>(`/withdrawals/${data.id}`);
    expect(paid).toMatchObject({ state: 'processed', receipt: 'T-1', frozen: false });
    expect(await money()).toEqual({ paidFen: 49_000, giftFen: 0, frozenFen: 0 });
  });

  test('many are decided together or not at all', async () => {
    const ids = [(await apply(1_000)).data.id, (await apply(2_000)).data.id, (await apply(3_000)).data.id];
    await review(ids[1] ?? 0, 'reject', 'wrong account');
    const body = { ids, decision: 'reject', reason: 'closing' };
    expect((await api.post('/withdrawals/reviews', body)).envelope.message.error).toBe('withdrawal.already_reviewed');
    expect(await money()).toMatchObject({ frozenFen: 4_000 });
    const rest = await api.post('/withdrawals/reviews', { ...body, ids: [ids[0], ids[2]] });
    expect(rest.data).toEqual({ decided: 2, waiting: 0, unasked: 0 });
    expect(await money()).toEqual({ paidFen: 50_000, giftFen: 0, frozenFen: 0 });
  });

  test('who applied for it does not pass it, alone or among others, but may reject it', async () => {
    const { data } = await apply(1_000);
    const own = { token: desk.token, language: 'en' } as const;
    const pass = () => api.post(`/withdrawals/${data.id}/reviews`, { decision: 'pass' }, own);
    expect((await pass()).envelope.message).toMatchObject({
      status: 403,
      error: 'withdrawal.own',
      message: expect.stringContaining('somebody else has to pass it'),
    });
    const many = await api.post('/withdrawals/reviews', { ids: [data.id], decision: 'pass' }, own);
    expect(many.envelope.message.error).toBe('withdrawal.own');
    expect(await money()).toMatchObject({ frozenFen: 1_000 });
    const rejected = await api.post(`/withdrawals/${data.id}/reviews`, { decision: 'reject', reason: 'my error' }, own);
    expect(rejected.status).toBe(200);
    await setParameter('second_person_withdrawal_fen', 'off');
    const { data: next } = await apply(1_000);
    expect((await api.post(`/withdrawals/${next.id}/reviews`, { decision: 'pass' }, own)).status).toBe(200);
  });

  test('neither a second account of the applicant nor the customer whom it pays passes it', async () => {
    const { db } = api.database;
    const passes = async (id: number, { token }: { token: string }) =>
      (await api.post(`/withdrawals/${id}/reviews`, { decision: 'pass' }, { token })).envelope.message.error;
    const reviewer = (name: string) => api.addUser({ name, permissions: ['withdrawal.review'] });
    const { data } = await apply(1_000);
    const added = await reviewer('added');
    const { id: deskId } = await db
      .selectFrom('users')
      .select('id')
      .where('user_name', '=', 'desk')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('access_givers')
      .values({ user_id: added.id, giver_id: deskId, at: instant(Date.now()) })
      .execute();
    expect(await passes(data.id, added)).toBe('withdrawal.own');
    // Who applies in the customers' own interface is no user; whom it pays may be one.
    await db.updateTable('withdrawals').set({ applied_by: null }).where('id', '=', data.id).execute();
    const customer = await reviewer('customer');
    await db.updateTable('users').set({ phone }).where('id', '=', customer.id).execute();
    expect(await passes(data.id, customer)).toBe('withdrawal.own');
    expect(await passes(data.id, await reviewer('stranger'))).toBeUndefined();
  });

  test('the applicant does not approve what another one asked to pass', async () => {
    await setParameter('second_person_withdrawal_fen', '10000');
    const permissions = ['withdrawal.create', 'withdrawal.review', 'approval.read', 'approval.decide'] as const;
    const applicant = await api.addUser({ name: 'applicant', permissions: [...permissions] });
    const { data } = await api.post<Withdrawal>(
      '/withdrawals',
      { customerPhone: phone, amountFen: 10_001 },
      { token: applicant.token },
    );
    const { waitsFor } = (await review(data.id, 'pass')).data as unknown as Waits;
    expect(waitsFor.hasDecider).toBe(false);
    const shown = await api.get<ApprovalDetail>(`/approvals/${waitsFor.id}`, { token: applicant.token });
    expect(shown.data.undecidable).toBe('withdrawal.own');
    const inbox = await api.get<{ items: unknown[] }>('/approvals?mine=waits', { token: applicant.token });
    expect(inbox.data.items).toEqual([]);
    const decided = await api.post(
      `/approvals/${waitsFor.id}/decisions`,
      { decision: 'approve' },
      { token: applicant.token },
    );
    expect(decided.envelope.message.error).toBe('withdrawal.own');
    expect(await money()).toMatchObject({ frozenFen: 10_001 });
  });

  test('an approval that waits becomes obsolete when its withdrawal is rejected, and is decided no more', async () => {
    await setParameter('second_person_withdrawal_fen', '10000');
    const { data } = await apply(10_001, { way: 'bank', payeeAccount: '6222020200001234567', payeeName: 'Li Ming' });
    const { waitsFor } = (await review(data.id, 'pass')).data as unknown as Waits;
    const approval = async () => (await api.get<ApprovalDetail>(`/approvals/${waitsFor.id}`)).data;
    const { facts } = await approval();
    expect(facts).toEqual([
      { name: 'customer', kind: 'text', before: null, after: `${phone.slice(0, 3)}****${phone.slice(-4)}` },
      { name: 'way', kind: 'word', before: null, after: 'approval-way.bank' },
      { name: 'payeeName', kind: 'text', before: null, after: 'Li Ming' },
      { name: 'payeeAccount', kind: 'text', before: null, after: expect.stringMatching(/^\d{0,6}\*+4567$/) },
      { name: 'paidOut', kind: 'money', before: null, after: 10_001 },
      { name: 'fee', kind: 'money', before: null, after: 0 },
    ]);
    await review(data.id, 'reject', 'wrong account');
    expect(await approval()).toMatchObject({ state: 'obsolete', undecidable: null, facts });
    expect((await api.get<Withdrawal>(`/withdrawals/${data.id}`)).data.waits).toEqual([]);
    const other = await api.addUser({
      name: 'other',
      permissions: ['withdrawal.review', 'approval.read', 'approval.decide'],
    });
    const decided = await api.post(
      `/approvals/${waitsFor.id}/decisions`,
      { decision: 'approve' },
      { token: other.token },
    );
    expect(decided.envelope.message.error).toBe('approval.already_decided');
    expect(await money()).toMatchObject({ frozenFen: 0 });
  });

  test('a large one waits for a second person, and stays frozen meanwhile', async () => {
    await setParameter('second_person_withdrawal_fen', '10000');
    const { data } = await apply(10_001);
    const { waitsFor } = (await review(data.id, 'pass')).data as unknown as Waits;
    expect(waitsFor).toMatchObject({ hasDecider: false });
    const waiting = [{ id: waitsFor.id, number: waitsFor.number, kind: 'withdrawal', amountFen: 10_001 }];
    const shown = { state: 'waiting', waits: waiting };
    expect((await api.get<Withdrawal>(`/withdrawals/${data.id}`)).data).toMatchObject(shown);
    expect((await api.get('/withdrawals')).data).toMatchObject({ items: [shown] });
    expect(await money()).toMatchObject({ frozenFen: 10_001 });
  });

  test('passed again while it waits, alone and among others, it waits as one', async () => {
    await setParameter('second_person_withdrawal_fen', '10000');
    const { data } = await apply(10_001);
    const { waitsFor } = (await review(data.id, 'pass')).data as unknown as Waits;
    expect((await review(data.id, 'pass')).data).toEqual({ waitsFor });
    const many = await api.post('/withdrawals/reviews', { ids: [data.id], decision: 'pass' });
    expect(many.data).toEqual({ decided: 0, waiting: 1, unasked: 0 });
    const approvals = await api.database.db.selectFrom('approvals').select('number').execute();
    expect(approvals).toEqual([{ number: waitsFor.number }]);
  });

  test('several that are passed together are measured by their sum, and each waits', async () => {
    await setParameter('second_person_withdrawal_fen', '10000');
    const ids = [(await apply(4_000)).data.id, (await apply(3_000)).data.id, (await apply(3_001)).data.id];
    const pass = (some: number[]) => api.post('/withdrawals/reviews', { ids: some, decision: 'pass' });
    expect((await pass(ids)).data).toEqual({ decided: 0, waiting: 3, unasked: 0 });
    const { items } = (await api.get<{ items: Withdrawal[] }>('/withdrawals')).data;
    expect(items.map(({ state, waits }) => [state, waits.length])).toEqual(Array.from(ids, () => ['waiting', 1]));
    expect((await pass(ids.slice(0, 2))).data).toEqual({ decided: 2, waiting: 0, unasked: 0 });
  });
});

test('a receipt of the bank is recorded for one withdrawal, however it is typed', async () => {
  const toBank = { way: 'bank', payeeAccount: '6222020200001234567', payeeName: 'Li' };
  const [{ data: one }, { data: two }] = [await apply(10_000, toBank), await apply(10_000, toBank)];
  const pay = (id: number, receipt: string) =>
    api.post<Withdrawal>(`/withdrawals/${id}/payments`, { receipt }, { language: 'en' });
  for (const { id } of [one, two]) await review(id, 'pass');
  expect((await pay(one.id, 'HQ-2026 77')).data).toMatchObject({ state: 'processed', receipt: 'HQ-2026 77' });
  const { envelope } = await pay(two.id, 'ｈｑ–２０２６７７');
  expect(envelope.message).toMatchObject({ status: 409, error: 'withdrawal.receipt_used' });
  expect(envelope.message.message).toContain(one.number);
  expect((await api.get<Withdrawal>(`/withdrawals/${two.id}`)).data).toMatchObject({
    state: 'in_review',
    frozen: true,
  });
  expect((await pay(two.id, 'HQ-2026 78')).status).toBe(200);
});

describe('the list', () => {
  test('a withdrawal is listed with its account, amounts, times, state and remark, found by each of them and summed', async () => {
    await setParameter('withdrawal_fee_bp', '60');
    await give(5_000);
    const way = { way: 'embedded', payeeAccount: 'oX-rider-88', payeeName: 'Li', remark: 'moving away' };
    const { data: first } = await apply(10_000, way);
    const { data: second } = await apply(5_000);
    await review(second.id, 'pass');
    await api.post(`/withdrawals/${second.id}/payments`, { receipt: 'cash 8' });
    const { data } = await api.get<{ items: Withdrawal[] }>('/withdrawals');
    const [paid, waiting] = data.items;
    expect(waiting).toMatchObject({
      payeeAccount: 'oX-rider-88',
      amountFen: 10_000,
      giftFen: 1_000,
      feeFen: 60,
      payoutFen: 9_940,
      customerPhone: phone,
      state: 'waiting',
      remark: 'moving away',
      processedAt: null,
    });
    expect(waiting?.appliedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(paid).toMatchObject({ state: 'processed', feeFen: 30, payoutFen: 4_970 });
    expect(Date.parse(paid?.processedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(paid?.appliedAt ?? ''));
    const found = async (query: string) =>
      (await api.get<{ items: Withdrawal[] }>(`/withdrawals?${query}`)).data.items.map(({ id }) => id);
    const day = `from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    for (const query of ['state=waiting', 'way=embedded', `number=${first.number}`]) {
      expect(await found(query)).toEqual([first.id]);
    }
    for (const query of [`phone=${phone.slice(-4)}`, `customerId=${customerId}`, day]) {
      expect(await found(query)).toEqual([second.id, first.id]);
    }
    expect(await found('phone=99999999')).toEqual([]);
    const totals = await api.get<object>('/withdrawals/totals');
    expect(totals.data).toMatchObject({
      total: 2,
      sums: { amountFen: 15_000, giftFen: 1_500, feeFen: 30, payoutFen: 4_970 },
    });
  });
});

describe('a payout by a channel', () => {
  /** As if it was passed: the channel has been asked. */
  async function passed(): Promise<{ id: WithdrawalId; payoutId: number }> {
    const way = { way: 'embedded', payeeAccount: 'openid-1', payeeName: 'Li' };
    const { data } = await apply(1_000, way);
    await review(data.id, 'pass');
    const { payout_id } = await api.database.db
      .selectFrom('withdrawals')
      .select('payout_id')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow();
    return { id: data.id, payoutId: payout_id as number };
  }
  const end = (payoutId: number, refusal: { code: string; text: string } | null) =>
    api.database.db.transaction().execute(async (trx) => {
      const over = {
        state: refusal === null ? 'done' : 'failed',
        next_try_at: null,
        ended_at: instant(Date.now()),
      } as const;
      await trx
        .updateTable('channel_payouts')
        .set(over)
        .where('id', '=', payoutId as never)
        .execute();
      await endPayout(trx, { id: payoutId as never, number: 'O1', refusal }, instant(Date.now()));
    });

  test('while the channel is paying nobody rejects it or pays it by hand', async () => {
    const { id, payoutId } = await passed();
    expect((await review(id, 'reject', 'no')).envelope.message.error).toBe('withdrawal.being_paid');
    expect((await api.post(`/withdrawals/${id}/payments`, { receipt: 'x' })).envelope.message.error).toBe(
      'withdrawal.being_paid',
    );
    await end(payoutId, null);
    await end(payoutId, null);
    expect((await api.get<Withdrawal>(`/withdrawals/${id}`)).data).toMatchObject({ state: 'withdrawn', receipt: 'O1' });
    expect(await money()).toEqual({ paidFen: 49_000, giftFen: 0, frozenFen: 0 });
  });

  test('a refused payout keeps its money frozen until it is retried, paid by hand or rejected', async () => {
    const { id, payoutId } = await passed();
    await end(payoutId, { code: 'NAME_MISMATCH', text: 'the name differs' });
    const { data: failed } = await api.get<Withdrawal>(`/withdrawals/${id}`);
    expect(failed).toMatchObject({ state: 'failed', failure: 'the name differs', frozen: true });
    expect(await money()).toMatchObject({ frozenFen: 1_000 });
    expect((await api.post<Withdrawal>(`/withdrawals/${id}/retries`)).data).toMatchObject({
      state: 'in_review',
      failure: null,
    });
    await end(payoutId, { code: 'BALANCE', text: '' });
    const paid = await api.post<Withdrawal>(`/withdrawals/${id}/payments`, { receipt: 'cash 7' });
    expect(paid.data).toMatchObject({ state: 'processed', receipt: 'cash 7' });
    expect(await money()).toEqual({ paidFen: 49_000, giftFen: 0, frozenFen: 0 });
  });
});
