import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Recharge } from '@voltdeck/contract/payments';
import type { Withdrawal } from '@voltdeck/contract/withdrawals';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { ok } from '@voltdeck/units/result';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PayoutId } from '../channels/channel-room.ts';
import { carryOutPayout, findOut } from '../channels/find-out.ts';
import type { Asked, PaymentChannel, PayoutOrder, ReturnFound } from '../channels/payment-channel.ts';
import { takeReturnFound } from '../channels/take-return-found.ts';
import { embeddedChannels } from '../channels/test-channels.ts';
import { transact } from '../database/transact.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { askingMsMax } from './earlier-payouts.ts';

let api: TestApi;
/** Whether the channel is on. */
const channels = new Map<PaymentChannelName, PaymentChannel>();
let inFront: Partial<Pick<PaymentChannel, 'payout' | 'queryPayout'>> = {};
/** Every request to pay that reached the channel. */
let sent: PayoutOrder[] = [];
const phone = '13800000001';

const refused = { outcome: 'refused', refusal: { code: 'PAYER_BALANCE_NOT_ENOUGH', text: '余额不足' } } as const;
const answers = (found: ReturnFound): Asked<ReturnFound> => ({ outcome: 'answered', answer: found });
const done = { state: 'done' as const, thirdPartyNumber: '77', amountFen: fen(1_000) };
const failedForGood: ReturnFound = { state: 'failed', refusal: { code: 'FAIL', text: '' } };
const absent: ReturnFound = { state: 'absent' };

beforeEach(async () => {
  inFront = {};
  sent = [];
  api = await openTestApi({
    channelsOf: switched((channel) => ({
      ...channel,
      payout(order) {
        sent.push(order);
        return (inFront.payout ?? channel.payout)(order);
      },
      queryPayout: (number) => (inFront.queryPayout ?? channel.queryPayout)(number),
    })),
  });
  await api.post('/customers', { phone, nickname: 'Li' });
  await api.post<Recharge>('/recharges', { customerPhone: phone, amountFen: 50_000 });
});
afterEach(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

/** The embedded channel, which a test may take out of `channels`. */
function switched(changed: (channel: PaymentChannel) => PaymentChannel): ReturnType<typeof embeddedChannels> {
  const open = embeddedChannels(changed);
  return async (world) => {
    const opened = await open(world);
    for (const [name, channel] of opened.byName) channels.set(name, channel);
    return { ...opened, byName: channels };
  };
}

const room = () => channelRoomOf(api.context);
const payouts = () =>
  api.database.db
    .selectFrom('channel_payouts')
    .select(['id', 'number', 'state', 'result_code'])
    .orderBy('id')
    .execute();
const withdrawal = async (id: number) => (await api.get<Withdrawal>(`/withdrawals/${id}`)).data;
const retry = (id: number) => api.post<Withdrawal>(`/withdrawals/${id}/retries`, {}, { language: 'en' });
const byHand = (id: number) =>
  api.post<Withdrawal>(`/withdrawals/${id}/payments`, { receipt: 'T-1' }, { language: 'zh-CN' });
const state = (id: number, outcome: string, token?: string) =>
  api.post<Withdrawal>(
    `/withdrawals/${id}/outcomes`,
    { outcome, reason: 'Seen at the channel' },
    { language: 'en', ...(token === undefined ? {} : { token }) },
  );
const reject = (id: number) => api.post(`/withdrawals/${id}/reviews`, { decision: 'reject', reason: 'no' });
const rejectMany = (id: number) => api.post('/withdrawals/reviews', { ids: [id], decision: 'reject', reason: 'no' });
const money = async () => {
  const { paidFen, frozenFen } = (await api.get<Record<string, number>>('/customers/1')).data;
  return { paidFen, frozenFen };
};

async function carryOutLast(): Promise<void> {
  const last = (await payouts()).at(-1);
  if (last !== undefined) await carryOutPayout(room(), last.id as PayoutId);
}

/** A withdrawal of 10 yuan that its channel refused for now. */
async function refusedOnce(): Promise<number> {
  const way = { way: 'embedded', payeeAccount: 'openid-1', payeeName: 'Li' };
  const { data } = await api.post<Withdrawal>('/withdrawals', { customerPhone: phone, amountFen: 1_000, ...way });
  await api.database.db.updateTable('withdrawals').set({ applied_by: null }).execute();
  await api.post(`/withdrawals/${data.id}/reviews`, { decision: 'pass' });
  inFront = { payout: async () => refused };
  await carryOutLast();
  inFront = {};
  expect(await withdrawal(data.id)).toMatchObject({ state: 'failed', frozen: true, failure: '余额不足' });
  return data.id;
}

/** The channel says of a payout, of its own accord, what it had not said. */
async function told(number: string, found: ReturnFound): Promise<string> {
  const taken = await transact(api.database.db, async (trx) =>
    ok(await takeReturnFound(trx, room(), { kind: 'payout', channel: 'embedded', number, found }, api.context.now())),
  );
  return taken.ok ? taken.value.outcome : taken.error.code;
}

describe('a payout that its channel refused for now', () => {
  test('a retry sends the same number where the channel does not know it', async () => {
    const id = await refusedOnce();
    expect((await retry(id)).data).toMatchObject({ state: 'in_review', failure: null });
    await carryOutLast();
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', attention: null });
    expect(await payouts()).toMatchObject([{ state: 'done', result_code: null }]);
    expect(sent.map(({ number }) => number)).toEqual([sent[0]?.number, sent[0]?.number]);
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test('a retried payout without an answer is asked about within seconds, however old it is', async () => {
    const id = await refusedOnce();
    const at = Date.now() + 2 * 3_600_000;
    api.clock.now = instant(at);
    expect((await retry(id)).status).toBe(200);
    const silent = async () => ({ outcome: 'unknown', because: 'timeout' }) as const;
    inFront = { payout: silent, queryPayout: silent };
    await carryOutLast();
    api.clock.now = instant(at + 60_000);
    await findOut(room());
    inFront = {};
    api.clock.now = instant(at + 120_000);
    await findOut(room());
    api.clock.now = null;
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn' });
  });

  test('a retry sends a new number only where the channel knows the old one as failed for good', async () => {
    const id = await refusedOnce();
    inFront = { queryPayout: async () => answers(failedForGood) };
    expect((await retry(id)).status).toBe(200);
    inFront = {};
    await carryOutLast();
    expect(await payouts()).toMatchObject([{ state: 'failed' }, { state: 'done' }]);
    expect(new Set(sent.map(({ number }) => number)).size).toBe(2);
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn' });
  });

  test('what turns out to be paid is paid by that: a retry sends nothing and a payment by hand is refused', async () => {
    const [first, second] = [await refusedOnce(), await refusedOnce()];
    inFront = { queryPayout: async () => answers(done) };
    expect((await retry(first)).data).toMatchObject({ state: 'withdrawn', receipt: sent[0]?.number });
    const hand = await byHand(second);
    expect(hand.envelope.message).toMatchObject({ error: 'withdrawal.paid_by_channel', status: 409 });
    expect(hand.envelope.message.message).toContain('不要再手动打款');
    expect(await withdrawal(second)).toMatchObject({ state: 'withdrawn', receipt: sent[1]?.number, attention: null });
    expect(sent).toHaveLength(2);
    expect(await payouts()).toMatchObject([
      { state: 'done', result_code: 'DONE_AFTER_FAILED' },
      { state: 'done', result_code: 'DONE_AFTER_FAILED' },
    ]);
    expect(await money()).toEqual({ paidFen: 48_000, frozenFen: 0 });
  });

  test('a notification that it is paid after all pays the withdrawal, whose money is still frozen', async () => {
    const id = await refusedOnce();
    expect(await told(sent[0]?.number ?? '', done)).toBe('done');
    expect(await told(sent[0]?.number ?? '', done)).toBe('repeated');
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', attention: null });
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test.each([
    ['no answer', async () => ({ outcome: 'unknown', because: 'timeout' }) as const, 'withdrawal.payout_unknown'],
    ['a refusal to say', async () => refused, 'withdrawal.payout_unknown'],
    ['another amount', async () => answers({ ...done, amountFen: fen(999) }), 'withdrawal.payout_unknown'],
    ['still under way', async () => answers({ state: 'processing', thirdPartyNumber: null }), 'withdrawal.being_paid'],
  ])('nothing is sent, recorded or returned on %s', async (_, queryPayout, code) => {
    const id = await refusedOnce();
    inFront = { queryPayout };
    for (const act of [retry, byHand, reject, rejectMany]) {
      expect((await act(id)).envelope.message).toMatchObject({ error: code, status: 409 });
    }
    expect(await withdrawal(id)).toMatchObject({ state: 'failed', frozen: true });
    expect(sent).toHaveLength(1);
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 1_000 });
  });

  test('many are asked about a few at a time, and those without time for it are not rejected', async () => {
    await api.database.db
      .updateTable('configs')
      .set({ value: '99' })
      .where('key', '=', 'withdrawals_per_day')
      .execute();
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await refusedOnce());
    let asked = 0;
    const fourAsked = Promise.withResolvers<void>();
    const startedAt = Date.now();
    api.clock.now = instant(startedAt);
    inFront = {
      async queryPayout() {
        asked += 1;
        if (asked === 4) fourAsked.resolve();
        await fourAsked.promise;
        api.clock.now = instant(startedAt + askingMsMax);
        return answers(absent);
      },
    };
    const body = { ids, decision: 'reject', reason: 'no' };
    const { data } = await api.post('/withdrawals/reviews', body);
    expect(data).toEqual({ decided: 4, waiting: 0, unasked: 2 });
    expect(asked).toBe(4);
    expect(await money()).toEqual({ paidFen: 48_000, frozenFen: 2_000 });
    const rest = await api.post('/withdrawals/reviews', { ...body, ids: ids.slice(4) });
    expect(rest.data).toEqual({ decided: 2, waiting: 0, unasked: 0 });
    expect(await money()).toEqual({ paidFen: 50_000, frozenFen: 0 });
  });

  test('what is paid after all is not rejected', async () => {
    const id = await refusedOnce();
    inFront = { queryPayout: async () => answers(done) };
    expect((await rejectMany(id)).envelope.message.error).toBe('withdrawal.paid_by_channel');
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test('of acts at the same time one has its way, and the channel is asked to pay once', async () => {
    const id = await refusedOnce();
    const acts = await Promise.all([retry(id), byHand(id), retry(id), reject(id), byHand(id), findOut(room())]);
    expect(acts.filter((act) => typeof act === 'object' && act.status === 200)).toHaveLength(1);
    await carryOutLast();
    const { state } = await withdrawal(id);
    expect(sent).toHaveLength(state === 'withdrawn' ? 2 : 1);
    expect(await payouts()).toHaveLength(1);
  });

  test('a payment by hand that asked before a retry began is refused, though the retry has failed since', async () => {
    const id = await refusedOnce();
    let asked = 0;
    inFront = {
      payout: async () => refused,
      async queryPayout() {
        asked += 1;
        if (asked > 1) return answers(absent);
        // In the meantime somebody else retries, and the channel refuses once more.
        api.clock.now = instant(Date.now() + 1_000);
        await retry(id);
        await carryOutLast();
        api.clock.now = null;
        return answers(absent);
      },
    };
    expect((await byHand(id)).envelope.message.error).toBe('withdrawal.being_paid');
    expect(sent).toHaveLength(2);
    expect(await withdrawal(id)).toMatchObject({ state: 'failed', frozen: true });
  });
});

describe('an earlier payout that is made while another one is under way', () => {
  /** Its first payout is failed for good, its second one open; then the first turns out to be made. */
  async function madeWhileOpen(): Promise<number> {
    const id = await refusedOnce();
    inFront = { queryPayout: async () => answers(failedForGood) };
    await retry(id);
    expect(await told(sent[0]?.number ?? '', done)).toBe('contradiction');
    expect(await withdrawal(id)).toMatchObject({ state: 'in_review', frozen: true, attention: null });
    return id;
  }

  test('it pays the withdrawal once the other one is refused, and nothing was paid twice', async () => {
    const id = await madeWhileOpen();
    inFront = { payout: async () => refused };
    await carryOutLast();
    expect(await withdrawal(id)).toMatchObject({
      state: 'withdrawn',
      frozen: false,
      receipt: sent[0]?.number,
      attention: null,
    });
    expect(await payouts()).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test('the withdrawal says that it was paid twice once the other one is made, until one comes back', async () => {
    const id = await madeWhileOpen();
    inFront = {};
    await carryOutLast();
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', attention: 'paid_twice' });
    expect(await told(sent[1]?.number ?? '', failedForGood)).toBe('contradiction');
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', attention: null });
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });
});

describe('a contradiction that moved money twice or back', () => {
  test('a payout that is done after its withdrawal was paid by hand shows on the withdrawal and in the list', async () => {
    const id = await refusedOnce();
    expect((await byHand(id)).data).toMatchObject({ state: 'processed' });
    expect(await told(sent[0]?.number ?? '', done)).toBe('contradiction');
    expect(await withdrawal(id)).toMatchObject({ state: 'processed', receipt: 'T-1', attention: 'paid_twice' });
    const { items } = (await api.get<{ items: Withdrawal[] }>('/withdrawals?attention=paid_twice')).data;
    expect(items.map((item) => item.id)).toEqual([id]);
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test('a payout that fails after it was done shows on the withdrawal', async () => {
    const id = await refusedOnce();
    await retry(id);
    await carryOutLast();
    expect(await told(sent[0]?.number ?? '', failedForGood)).toBe('contradiction');
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', attention: 'sent_back' });
    expect((await api.get<{ items: Withdrawal[] }>('/withdrawals?attention=sent_back')).data.items).toHaveLength(1);
  });
});

describe('what a person states after checking at the channel', () => {
  test('a failed payout at a channel that is off is checked by a person, and can then be rejected', async () => {
    const id = await refusedOnce();
    expect((await state(id, 'not_paid')).envelope.message.error).toBe('withdrawal.outcome_not_open');
    channels.clear();
    for (const act of [byHand, reject, rejectMany]) {
      expect((await act(id)).envelope.message).toMatchObject({ error: 'withdrawal.payout_channel_off', status: 409 });
    }
    expect((await state(id, 'not_paid')).data).toMatchObject({ state: 'failed', frozen: true });
    expect((await state(id, 'not_paid')).envelope.message.error).toBe('withdrawal.outcome_not_open');
    expect((await reject(id)).status).toBe(200);
    expect(await money()).toEqual({ paidFen: 50_000, frozenFen: 0 });
  });

  test('a payout under way at a channel that is off ends as stated, and is not asked for when the channel is on again', async () => {
    const id = await refusedOnce();
    await retry(id);
    const [embedded] = channels.values();
    channels.clear();
    await carryOutLast();
    expect(await withdrawal(id)).toMatchObject({ state: 'in_review' });
    expect((await state(id, 'not_paid')).data).toMatchObject({ state: 'failed', frozen: true });
    expect((await byHand(id)).data).toMatchObject({ state: 'processed' });
    if (embedded !== undefined) channels.set('embedded', embedded);
    await carryOutLast();
    await findOut(room());
    expect(sent).toHaveLength(1);
    expect(await told(sent[0]?.number ?? '', done)).toBe('contradiction');
    expect(await withdrawal(id)).toMatchObject({ state: 'processed', attention: 'paid_twice' });
    expect((await state(id, 'returned')).envelope.message.error).toBe('withdrawal.outcome_not_open');
    expect((await state(id, 'dealt_with')).data).toMatchObject({ state: 'processed', attention: null });
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test('a payout that was made by a channel that is off pays its withdrawal', async () => {
    const id = await refusedOnce();
    channels.clear();
    expect((await state(id, 'paid')).data).toMatchObject({ state: 'withdrawn', receipt: sent[0]?.number });
    expect(await payouts()).toMatchObject([{ state: 'done' }]);
    expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 0 });
  });

  test.each([
    ['paid', 'withdrawn', 0],
    ['not_paid', 'failed', 1_000],
  ] as const)(
    'a payout with another amount shows on the withdrawal until a person states %s',
    async (outcome, end, frozenFen) => {
      const id = await refusedOnce();
      await retry(id);
      inFront = { payout: async () => answers({ ...done, amountFen: fen(999) }) };
      await carryOutLast();
      expect(await withdrawal(id)).toMatchObject({ state: 'in_review', attention: 'amount_differs' });
      expect((await api.get<{ items: Withdrawal[] }>('/withdrawals?attention=amount_differs')).data.items).toHaveLength(
        1,
      );
      const stated = await state(id, outcome);
      expect(stated.data).toMatchObject({ state: end, attention: null });
      expect(await money()).toEqual({ paidFen: 49_000, frozenFen });
      inFront = { queryPayout: async () => answers({ ...done, amountFen: fen(999) }) };
      await findOut(room());
      expect(await withdrawal(id)).toMatchObject({ state: end, attention: null });
      if (outcome === 'not_paid') expect((await reject(id)).status).toBe(200);
    },
  );

  test('what was sent back is frozen again with its fee, as often as it comes back, and paid anew', async () => {
    await api.database.pool.query(`update configs set value = '60' where key = 'withdrawal_fee_bp'`);
    const id = await refusedOnce();
    done.amountFen = fen(994);
    for (let times = 0; times < 2; times += 1) {
      await retry(id);
      await carryOutLast();
      expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn' });
      const number = (await payouts()).at(-1)?.number ?? '';
      expect(await told(number, failedForGood)).toBe('contradiction');
      const returned = await state(id, 'returned');
      expect(returned.data).toMatchObject({ state: 'failed', frozen: true, attention: null, receipt: null });
      expect((await state(id, 'returned')).envelope.message.error).toBe('withdrawal.outcome_not_open');
      expect(await money()).toEqual({ paidFen: 49_000, frozenFen: 1_000 });
      inFront = { queryPayout: async () => answers(failedForGood) };
    }
    expect((await reject(id)).status).toBe(200);
    expect(await money()).toEqual({ paidFen: 50_000, frozenFen: 0 });
    done.amountFen = fen(1_000);
  });

  test('it waits for a second person above the limit of withdrawals', async () => {
    const id = await refusedOnce();
    channels.clear();
    await api.database.pool.query(`update configs set value = '999' where key = 'second_person_withdrawal_fen'`);
    const { waitsFor } = (await state(id, 'paid')).data as unknown as Waits;
    expect(await withdrawal(id)).toMatchObject({ state: 'failed', frozen: true, waits: [{ number: waitsFor.number }] });
    const decider = await api.addUser({
      name: 'decider',
      permissions: ['approval.read', 'approval.decide', 'withdrawal.resolve', 'withdrawal.read'],
    });
    const { data } = await api.get<ApprovalDetail>(`/approvals/${waitsFor.id}`, decider);
    expect(data.facts[0]).toMatchObject({ name: 'outcome', after: 'approval-outcome.paid' });
    const decided = await api.post(`/approvals/${waitsFor.id}/decisions`, { decision: 'approve' }, decider);
    expect(decided.data).toMatchObject({ state: 'approved', failure: null });
    expect(await withdrawal(id)).toMatchObject({ state: 'withdrawn', waits: [] });
  });

  test('only who may resolve withdrawals states it', async () => {
    const id = await refusedOnce();
    channels.clear();
    const { token } = await api.addUser({ name: 'payer', permissions: ['withdrawal.read', 'withdrawal.pay'] });
    expect((await state(id, 'paid', token)).status).toBe(403);
  });
});
