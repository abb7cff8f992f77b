import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { ok } from '@voltdeck/units/result';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../database/transact.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';
import { channelRoomOf } from '../payments/channel-outcomes.ts';
import { beginPayout, beginRefund } from './begin-return.ts';
import type { ChannelRoom, PaymentId, PayoutId, RefundId, Returned } from './channel-room.ts';
import { embeddedPayees } from './embedded/embedded-channel.ts';
import { carryOutPayout, carryOutRefund, findOut } from './find-out.ts';
import type { PaymentChannel, ReturnFound } from './payment-channel.ts';
import { takeReturnFound } from './take-return-found.ts';
import { embeddedChannels } from './test-channels.ts';

let api: TestApi;
let inFront: Partial<PaymentChannel> = {};
/** What the slices heard of refunds and payouts that ended. */
let ended: Returned<RefundId | PayoutId>[] = [];
let payments = 0;
let cardId: number;

beforeAll(async () => {
  api = await openTestApi({
    channelsOf: embeddedChannels((channel) => ({
      ...channel,
      refund: (order) => (inFront.refund ?? channel.refund)(order),
      queryRefund: (...about) => (inFront.queryRefund ?? channel.queryRefund)(...about),
      payout: (order) => (inFront.payout ?? channel.payout)(order),
      queryPayout: (number) => (inFront.queryPayout ?? channel.queryPayout)(number),
    })),
  });
  ({ cardId } = await makePlace(api.database, null, 'returns'));
});
afterAll(() => api.close());
beforeEach(() => {
  inFront = {};
  ended = [];
  api.clock.now = null;
});

function room(): ChannelRoom {
  const whole = channelRoomOf(api.context);
  const note = async (_: unknown, returned: Returned<RefundId | PayoutId>) => {
    ended.push(returned);
    return () => {};
  };
  return { ...whole, outcomes: { ...whole.outcomes, refunded: note, paidOut: note } };
}

const own = () => {
  const channel = api.context.channels.byName.get('embedded');
  if (channel === undefined) throw new Error('the embedded channel is off');
  return channel;
};
const endsOf = (number: string) => ended.filter((returned) => returned.number === number);
const db = () => api.database.db;
const later = (ms: number) => {
  api.clock.now = instant(Date.now() + ms);
};

/** A payment of 1000 fen in the given state, at the channel too. */
async function payment(state: 'paid' | 'paying' = 'paid'): Promise<PaymentId> {
  payments += 1;
  const number = `C20261121${String(payments).padStart(12, '0')}`;
  const now = instant(Date.now());
  const paid = {
    paid_at: now,
    paid_fen: fen(1_000),
    third_party_number: `40${payments}`,
    attention: 'payer_gone',
  } as const;
  await db()
    .insertInto('embedded_payments')
    .values({
      number,
      amount_fen: fen(1_000),
      title: 'Charging balance',
      third_party_number: `40${payments}`,
      expires_at: now,
      created_at: now,
      state: state === 'paid' ? 'paid' : 'waiting',
      paid_at: state === 'paid' ? now : null,
    })
    .execute();
  const { id } = await db()
    .insertInto('channel_payments')
    .values({
      number,
      channel: 'embedded',
      purpose: 'recharge',
      card_id: cardId as never,
      amount_fen: fen(1_000),
      title: 'Charging balance',
      page_token_hash: Buffer.from(number),
      notify_url: '',
      expires_at: now,
      user_id: 1 as never,
      created_at: now,
      state,
      ...(state === 'paid' ? paid : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const refund = (paymentId: PaymentId, amountFen = 400) =>
  transact(db(), (trx) =>
    beginRefund(
      trx,
      { paymentId, amountFen: fen(amountFen), reason: 'The gun was broken', userId: null },
      api.context.now(),
    ),
  );
const begunRefund = async (paymentId: PaymentId, amountFen?: number) => {
  const begun = await refund(paymentId, amountFen);
  if (!begun.ok) throw new Error(begun.error.code);
  return begun.value;
};
const payout = async (payee: string) => {
  const wish = {
    withdrawalId: null,
    channel: 'embedded',
    payee,
    payeeName: null,
    amountFen: fen(700),
    remark: 'Withdrawal',
    userId: null,
  } as const;
  const begun = await transact(db(), async (trx) =>
    ok(await beginPayout(trx, { ...wish, notifyUrl: '' }, api.context.now())),
  );
  if (!begun.ok) throw new Error(begun.error.code);
  return begun.value;
};
const refundRow = (id: RefundId) =>
  db().selectFrom('channel_refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const payoutRow = (id: PayoutId) =>
  db().selectFrom('channel_payouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sentBack = async (number: string) =>
  (await db().selectFrom('embedded_returns').select('amount_fen').where('number', '=', number).execute()).length;
/** How often the channel was asked to send it, as the log of calls has it. */
const asksFor = async (number: string) => {
  const kinds = ['refund', 'payout'];
  const calls = db().selectFrom('channel_calls').select('id').where('number', '=', number).where('kind', 'in', kinds);
  return (await calls.execute()).length;
};
const noAnswer = { outcome: 'unknown', because: 'timeout' } as const;

describe('a refund through its channel', () => {
  test('a refund is carried out once, and its slice hears of it in the same transaction', async () => {
    const { id, number } = await begunRefund(await payment());
    await carryOutRefund(room(), id);
    expect(await refundRow(id)).toMatchObject({
      state: 'done',
      next_try_at: null,
      third_party_number: expect.any(String),
    });
    expect(ended).toEqual([{ id, number, refusal: null }]);
    await carryOutRefund(room(), id);
    expect(ended).toHaveLength(1);
    expect(await sentBack(number)).toBe(1);
  });

  test('a payment is not refunded before it is known to be paid', async () => {
    expect(await refund(await payment('paying'))).toEqual({ ok: false, error: { code: 'channel.not_paid' } });
  });

  test('refunds never exceed the payment, those that are under way included, and failed ones free their part', async () => {
    const paymentId = await payment();
    const first = await begunRefund(paymentId, 700);
    expect(await refund(paymentId, 301)).toMatchObject({
      ok: false,
      error: { code: 'channel.refund_too_high', params: { max: '3.00' } },
    });
    expect((await refund(paymentId, 300)).ok).toBe(true);
    inFront = { refund: async () => ({ outcome: 'refused', refusal: { code: 'NOT_ENOUGH', text: 'no money' } }) };
    await carryOutRefund(room(), first.id);
    expect(await refundRow(first.id)).toMatchObject({
      state: 'failed',
      result_code: 'NOT_ENOUGH',
      result_text: 'no money',
    });
    expect((await refund(paymentId, 700)).ok).toBe(true);
  });

  test('a refund that is done after it had failed counts, so that the same money is not sent back again', async () => {
    const paymentId = await payment();
    const first = await begunRefund(paymentId, 700);
    inFront = { refund: async () => ({ outcome: 'refused', refusal: { code: 'NOT_ENOUGH', text: 'no money' } }) };
    await carryOutRefund(room(), first.id);
    const { number } = await refundRow(first.id);
    const found = { state: 'done', thirdPartyNumber: '52', amountFen: fen(700) } as const;
    const about = { kind: 'refund', channel: 'embedded', number, found } as const;
    const taken = await transact(db(), async (trx) => ok(await takeReturnFound(trx, room(), about, api.context.now())));
    expect(taken.ok && taken.value.outcome).toBe('contradiction');
    expect(await refund(paymentId, 301)).toMatchObject({
      ok: false,
      error: { code: 'channel.refund_too_high', params: { max: '3.00' } },
    });
    expect((await refund(paymentId, 300)).ok).toBe(true);
  });

  test('simultaneous refunds of one payment never exceed it', async () => {
    const paymentId = await payment();
    const begun = await Promise.all(Array.from({ length: 8 }, () => refund(paymentId, 300)));
    expect(begun.filter(({ ok: isBegun }) => isBegun)).toHaveLength(3);
  });

  test('a refund that was carried out although its answer was lost is found out and not sent again', async () => {
    const { id, number } = await begunRefund(await payment());
    let asks = 0;
    inFront = {
      async refund(order) {
        asks += 1;
        inFront = {};
        await own().refund(order);
        return noAnswer;
      },
    };
    await carryOutRefund(room(), id);
    expect(await refundRow(id)).toMatchObject({ state: 'processing' });
    expect(endsOf(number)).toEqual([]);
    later(minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'done' });
    expect(asks).toBe(1);
    expect(await asksFor(number)).toBe(1);
    expect(await sentBack(number)).toBe(1);
    expect(endsOf(number)).toHaveLength(1);
  });

  test('a refund that never reached its channel is sent again under the same number', async () => {
    const { id, number } = await begunRefund(await payment());
    inFront = { refund: async () => noAnswer };
    await carryOutRefund(room(), id);
    inFront = {};
    later(minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'done' });
    expect(await sentBack(number)).toBe(1);
  });

  test('a refusal of a repetition is no failure while the first attempt may still arrive', async () => {
    const { id } = await begunRefund(await payment());
    inFront = { refund: async () => noAnswer };
    await carryOutRefund(room(), id);
    inFront = { refund: async () => ({ outcome: 'refused', refusal: { code: 'BUSY', text: '' } }) };
    later(minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'processing' });
    later(20 * minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'failed', result_code: 'BUSY' });
  });

  test('a server that dies before it asks leaves the refund to the job', async () => {
    const { id } = await begunRefund(await payment());
    later(minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'done' });
  });

  test('workers that carry out one refund at the same time ask once', async () => {
    const { id, number } = await begunRefund(await payment());
    await Promise.all(Array.from({ length: 6 }, () => carryOutRefund(room(), id)));
    expect(await refundRow(id)).toMatchObject({ state: 'done' });
    expect(await asksFor(number)).toBe(1);
    expect(await sentBack(number)).toBe(1);
    expect(ended).toHaveLength(1);
  });

  test('the job that follows the commit and the runs that find out ask once together', async () => {
    const { id, number } = await begunRefund(await payment());
    await Promise.all([findOut(room()), carryOutRefund(room(), id), findOut(room())]);
    expect(await refundRow(id)).toMatchObject({ state: 'done' });
    expect(await asksFor(number)).toBe(1);
    expect(endsOf(number)).toHaveLength(1);
  });

  test('a channel that reports another amount, an unknown number or a contrary end moves nothing', async () => {
    const { number, id } = await begunRefund(await payment());
    const told = async (found: ReturnFound, about = number) => {
      const taken = await transact(db(), async (trx) =>
        ok(await takeReturnFound(trx, room(), { kind: 'refund', channel: 'embedded', number: about, found }, now())),
      );
      return taken.ok ? taken.value.outcome : taken.error;
    };
    const now = (): Instant => api.context.now();
    const done = { state: 'done', thirdPartyNumber: '50', amountFen: fen(399) } as const;
    expect(await told(done)).toBe('amount_differs');
    expect(await told({ ...done, amountFen: fen(400) }, 'F20261121000000000009')).toBe('unknown_number');
    expect(await told({ ...done, amountFen: fen(400) })).toBe('done');
    expect(await told({ ...done, amountFen: fen(400) })).toBe('repeated');
    expect(await told({ state: 'failed', refusal: { code: 'ABNORMAL', text: '' } })).toBe('contradiction');
    expect(await refundRow(id)).toMatchObject({
      state: 'done',
      third_party_number: '50',
      result_code: 'FAILED_AFTER_DONE',
      result_text: 'ABNORMAL',
    });
    expect(ended).toHaveLength(1);
  });

  test('a refund that waits for a person at its channel stays frozen, says why, and is done once it went on', async () => {
    const paymentId = await payment();
    const { id, number } = await begunRefund(paymentId, 700);
    const heldUpBy = { code: 'ABNORMAL', text: '' };
    const heldUp = { state: 'processing', thirdPartyNumber: '51', heldUpBy } as const;
    inFront = { refund: async () => ({ outcome: 'answered', answer: heldUp }) };
    await carryOutRefund(room(), id);
    expect(await refundRow(id)).toMatchObject({
      state: 'processing',
      third_party_number: '51',
      result_code: 'ABNORMAL',
    });
    expect(endsOf(number)).toEqual([]);
    expect(await refund(paymentId, 301)).toMatchObject({ ok: false, error: { code: 'channel.refund_too_high' } });
    const done = { state: 'done', thirdPartyNumber: '51', amountFen: fen(700) } as const;
    inFront = { queryRefund: async () => ({ outcome: 'answered', answer: done }) };
    later(minuteMs);
    await findOut(room());
    expect(await refundRow(id)).toMatchObject({ state: 'done', result_code: null });
    expect(endsOf(number)).toEqual([{ id, number, refusal: null }]);
  });
});

test('a refund or payout that is done after it had failed says so on its row and moves nothing', async () => {
  const { id, number } = await payout(embeddedPayees.refused);
  await carryOutPayout(room(), id);
  const { result_text: said } = await payoutRow(id);
  const found = { state: 'done', thirdPartyNumber: '52', amountFen: fen(700) } as const;
  const about = { kind: 'payout', channel: 'embedded', number, found } as const;
  for (let times = 0; times < 2; times += 1) {
    const taken = await transact(db(), async (trx) => ok(await takeReturnFound(trx, room(), about, api.context.now())));
    expect(taken.ok && taken.value.outcome).toBe('contradiction');
  }
  expect(await payoutRow(id)).toMatchObject({
    state: 'failed',
    third_party_number: '52',
    result_code: 'DONE_AFTER_FAILED',
    result_text: `PAYEE_NOT_EXIST ${said}`,
  });
  expect(endsOf(number)).toHaveLength(1);
});

describe('a payout', () => {
  test('a payout is carried out once', async () => {
    const { id, number } = await payout('somebody');
    await Promise.all([carryOutPayout(room(), id), carryOutPayout(room(), id)]);
    expect(await payoutRow(id)).toMatchObject({ state: 'done' });
    expect(ended).toEqual([{ id, number, refusal: null }]);
    expect(await asksFor(number)).toBe(1);
    expect(await sentBack(number)).toBe(1);
  });

  test('a payout that its channel refuses has failed, with what the channel said', async () => {
    const { id, number } = await payout(embeddedPayees.refused);
    await carryOutPayout(room(), id);
    expect(await payoutRow(id)).toMatchObject({ state: 'failed', result_code: 'PAYEE_NOT_EXIST' });
    expect(ended).toEqual([{ id, number, refusal: { code: 'PAYEE_NOT_EXIST', text: expect.any(String) } }]);
  });

  test('a payout that takes its time is asked about until it has ended', async () => {
    const { id, number } = await payout(embeddedPayees.late);
    await carryOutPayout(room(), id);
    expect(await payoutRow(id)).toMatchObject({ state: 'processing', third_party_number: expect.any(String) });
    later(2 * minuteMs);
    await findOut(room());
    expect(await payoutRow(id)).toMatchObject({ state: 'done' });
    expect(await sentBack(number)).toBe(1);
    expect(endsOf(number)).toHaveLength(1);
  });
});

describe('a run that finds out', () => {
  /** Refunds and payouts that are due and were asked for before. */
  const asked = async (count: number) => {
    inFront = { refund: async () => noAnswer, payout: async () => noAnswer };
    for (let made = 0; made < count; made += 1) {
      await carryOutRefund(room(), (await begunRefund(await payment())).id);
      await carryOutPayout(room(), (await payout('somebody')).id);
    }
    inFront = {};
    later(minuteMs);
  };
  const stillOpen = { state: 'processing', thirdPartyNumber: null } as const;
  const settle = async () => {
    inFront = {};
    later(60 * minuteMs);
    await findOut(room());
    api.clock.now = null;
  };

  test('asks four questions at a time and no more', async () => {
    await settle();
    await asked(6);
    let underWay = 0;
    let most = 0;
    const slow = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      for (let turns = 0; turns < 20; turns += 1) await db().selectFrom('users').select('id').limit(1).execute();
      underWay -= 1;
      return { outcome: 'answered', answer: stillOpen } as const;
    };
    inFront = { queryRefund: slow, queryPayout: slow };
    expect(await findOut(room())).toBe(12);
    expect(most).toBe(4);
    await settle();
  });

  test('begins nothing after its time, lets all kinds have their turn, and leaves the rest due', async () => {
    await settle();
    await asked(6);
    const about: string[] = [];
    const slow = (kind: string) => async () => {
      about.push(kind);
      api.clock.now = instant(api.context.now() + 30_000);
      return { outcome: 'answered', answer: stillOpen } as const;
    };
    inFront = { queryRefund: slow('refund'), queryPayout: slow('payout') };
    const count = await findOut(room());
    expect(count).toBe(about.length);
    expect(count).toBeLessThan(6);
    expect(new Set(about)).toEqual(new Set(['refund', 'payout']));
    inFront = {};
    const rest = await findOut(room());
    expect(rest).toBeGreaterThanOrEqual(12 - count);
    await settle();
  });

  test('goes on to the others where one cannot be asked about', async () => {
    await settle();
    await asked(2);
    inFront = {
      async queryRefund() {
        inFront = {};
        throw new Error('out of order');
      },
    };
    expect(await findOut(room())).toBe(4);
    const open = await db().selectFrom('channel_refunds').select('id').where('state', '=', 'processing').execute();
    expect(open).toHaveLength(1);
    await settle();
  });
});
