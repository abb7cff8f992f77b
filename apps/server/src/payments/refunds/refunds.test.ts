import type { Waits } from '@voltdeck/contract/approvals';
import type { MoneyMovement } from '@voltdeck/contract/movements';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { listRechargeRefunds, Recharge } from '@voltdeck/contract/payments';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { CardId, RechargeId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RefundId } from '../../channels/channel-room.ts';
import type { PaymentChannel } from '../../channels/payment-channel.ts';
import { embeddedChannels } from '../../channels/test-channels.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../../http/test-records.ts';
import { endRefund } from './end-refund.ts';

let api: TestApi;
let places = 0;
/** The channels that are on. */
const channels = new Map<PaymentChannelName, PaymentChannel>();
beforeAll(async () => {
  api = await openTestApi({
    async channelsOf(world) {
      const open = await embeddedChannels((channel) => {
        channels.set('wechat', channel);
        return channel;
      })(world);
      return { ...open, byName: channels };
    },
  });
  await api.database.pool.query(`update configs set value = 'off' where key like 'second_person_%'`);
});
afterEach(async () => {
  await api.database.pool.query('update promotions set effective = false');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function newPlace(agentId: Place['agentId'] = null): Promise<Place> {
  places += 1;
  return makePlace(api.database, agentId, `refund${places}`);
}

const promote = (giftFen: number) =>
  api.post('/promotions', { name: 'Gift', satisfiedFen: 10_000, giftFen, effective: true, displayed: true });
const recharge = async (place: Place, amountFen: number) =>
  (await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen })).data;
const refund = (id: number, amountFen: number, ask = {}) =>
  api.post<Recharge>(`/recharges/${id}/refunds`, { amountFen, reason: 'Moved away' }, { language: 'en', ...ask });
const partsOf = async (place: Place) => [
  await balanceOf(api.database, `card:${place.cardId}`),
  await balanceOf(api.database, `card-gift:${place.cardId}`),
  await balanceOf(api.database, `card-frozen:${place.cardId}`),
];
const movements = async (query: string) =>
  (await api.get<{ items: MoneyMovement[] }>(`/movements?${query}&pageSize=100`)).data.items;

describe('a refund of a recharge', () => {
  test('a recharge is refunded between 0 and its amount, in parts, and becomes refunded (sections 4 and 5)', async () => {
    const place = await newPlace();
    const made = await recharge(place, 3_000);
    for (const amountFen of [3_001, 10_000_000]) {
      expect((await refund(made.id, amountFen)).envelope.message).toMatchObject({
        status: 422,
        error: 'recharge.refund_too_high',
        message: 'The refund must be between 0 and ¥30.00',
      });
    }
    expect((await refund(made.id, 0)).status).toBe(422);
    expect((await refund(made.id, 1_000)).data).toMatchObject({ state: 'partly_refunded', refundedFen: 1_000 });
    expect((await refund(made.id, 2_001)).envelope.message.message).toBe('The refund must be between 0 and ¥20.00');
    expect((await refund(made.id, 2_000)).data).toMatchObject({ state: 'refunded', refundedFen: 3_000 });
    expect(await partsOf(place)).toEqual([10_000, 0, 0]);
    // What happened to a recharge is found by its number.
    const told = await movements(`number=${made.number}`);
    expect(told.map(({ type, amountFen, state }) => [type, amountFen, state])).toEqual([
      ['withdrawal', -2_000, 'done'],
      ['withdrawal', -1_000, 'done'],
      ['system_recharge', 3_000, 'refunded'],
    ]);
    expect((await api.post(`/recharges/${made.id}/reversals`, { reason: 'Twice' })).envelope.message.error).toBe(
      'recharge.already_refunded',
    );
  });

  test('of several refunds sent at once no more goes back than was recharged', async () => {
    const place = await newPlace();
    const made = await recharge(place, 3_000);
    const sent = await Promise.all(Array.from({ length: 4 }, () => refund(made.id, 1_000)));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422]);
    expect(await partsOf(place)).toEqual([10_000, 0, 0]);
    const again = await recharge(place, 700);
    await refund(again.id, 700, { key: 'once' });
    expect((await refund(again.id, 700, { key: 'once' })).status).toBe(200);
    expect(await partsOf(place)).toEqual([10_000, 0, 0]);
  });

  test('its gift is taken back in proportion over all refunds, to the fen', async () => {
    const place = await newPlace();
    await promote(1_000);
    const made = await recharge(place, 30_000);
    const gifts: number[] = [];
    for (const amountFen of [1, 9_999, 5_000, 15_000]) {
      expect((await refund(made.id, amountFen)).status).toBe(200);
      gifts.push((await partsOf(place))[1] ?? -1);
    }
    expect(gifts).toEqual([1_000, 667, 500, 0]);
    expect(await partsOf(place)).toEqual([10_000, 0, 0]);
  });

  test('where its gift was charged with, the refusal says how much can be refunded, and exactly that is', async () => {
    const place = await newPlace();
    await promote(1_000);
    const made = await recharge(place, 10_000);
    // Paid money is spent first: all of it goes, and 600 of the gift.
    await makeSettledOrder(api.database, place, { electricityFeeFen: 20_000, serviceFeeFen: 0 });
    await moveGift(place, -600);
    await api.database.pool.query('update promotions set effective = false');
    await recharge(place, 10_000);
    const refused = await refund(made.id, 10_000);
    expect(refused.envelope.message).toMatchObject({
      status: 409,
      error: 'recharge.refund_gift_spent',
      message:
        'The refund takes back gifts of ¥10.00, of which ¥4.00 is left: the rest was charged with. At most ¥40.04 can be refunded',
    });
    expect((await refund(made.id, 4_005)).status).toBe(409);
    expect((await refund(made.id, 4_004)).status).toBe(200);
    expect((await partsOf(place))[1]).toBe(0);
  });

  test('only what is still paid money in the balance can be refunded', async () => {
    const place = await newPlace();
    const made = await recharge(place, 5_000);
    await makeSettledOrder(api.database, place, { electricityFeeFen: 13_000, serviceFeeFen: 0 });
    expect((await refund(made.id, 5_000)).envelope.message).toMatchObject({
      status: 409,
      error: 'recharge.refund_spent',
      message: 'Only ¥20.00 of the balance is paid money that can go back: the refund must be between 0 and ¥20.00',
    });
    expect((await refund(made.id, 2_000)).status).toBe(200);
    expect((await partsOf(place))[0]).toBe(0);
  });

  test('prepaid money of an agent goes back to its prepaid account', async () => {
    const agentId = await api.addAgent('Refunding');
    const place = await newPlace(agentId);
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 5_000, reason: 'Paid in' });
    const { token } = await api.addUser({
      name: 'refunding',
      agentId,
      scope: 'agent',
      permissions: ['recharge.create', 'recharge.refund', 'recharge.read'],
    });
    const made = await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen: 2_000 }, { token });
    expect((await refund(made.data.id, 1_500, { token })).data.state).toBe('partly_refunded');
    expect(await balanceOf(api.database, `agent-prepaid:${agentId}`)).toBe(4_500);
  });

  test('a recharge of a merged customer is refunded from the record that took it over', async () => {
    const [gone, kept] = [await newPlace(), await newPlace()];
    const made = await api.post<Recharge>('/recharges', { customerId: gone.customerId, amountFen: 3_000 });
    const merge = { intoId: kept.customerId, reason: 'One person' };
    expect((await api.post(`/customers/${gone.customerId}/merges`, merge)).status).toBe(200);
    await api.database.pool.query(`update configs set value = '1000' where key = 'second_person_recharge_refund_fen'`);
    const asked = await refund(made.data.id, 2_000);
    const { id } = (asked.data as unknown as Waits).waitsFor;
    const { data: approval } = await api.get<{ facts: unknown[] }>(`/approvals/${id}`);
    expect(approval.facts).toContainEqual({ name: 'balance', kind: 'money', before: 3_000, after: 1_000 });
    await api.database.pool.query(`update configs set value = 'off' where key = 'second_person_recharge_refund_fen'`);
    expect((await refund(made.data.id, 3_000)).data).toMatchObject({ state: 'refunded' });
    expect(await balanceOf(api.database, `customer:${kept.customerId}`)).toBe(0);
    const [taken] = await movements(`customerId=${kept.customerId}&type=withdrawal`);
    expect(taken).toMatchObject({ amountFen: -3_000, number: made.data.number });
  });

  test('a refund above the limit waits for a second person and moves nothing', async () => {
    const place = await newPlace();
    const made = await recharge(place, 3_000);
    await api.database.pool.query(`update configs set value = '1000' where key = 'second_person_recharge_refund_fen'`);
    const asked = await refund(made.id, 2_000);
    await api.database.pool.query(`update configs set value = 'off' where key = 'second_person_recharge_refund_fen'`);
    expect(asked.data).toMatchObject({ waitsFor: { number: expect.any(String) } });
    expect(await partsOf(place)).toEqual([13_000, 0, 0]);
  });
});

/** Changes the gifts of a card as a charge would. */
async function moveGift(place: Place, changeFen: number): Promise<void> {
  const body = { cardNumber: place.cardNumber, amountFen: -changeFen, reason: 'As charged' };
  expect((await api.post('/gift-deductions', body)).status).toBe(200);
}

describe('a refund of a recharge through a payment channel', () => {
  /** A recharge that was paid by WeChat. */
  async function paidByChannel(place: Place, amountFen: number): Promise<RechargeId> {
    const made = await recharge(place, amountFen);
    await api.database.db
      .updateTable('recharges')
      .set({ channel: 'wechat', user_id: null })
      .where('id', '=', made.id)
      .execute();
    await api.database.db
      .insertInto('channel_payments')
      .values({
        number: `C${made.number}`,
        channel: 'wechat',
        purpose: 'recharge',
        card_id: place.cardId,
        amount_fen: fen(amountFen),
        title: 'Balance',
        page_token_hash: Buffer.from(made.number),
        notify_url: '',
        state: 'paid',
        paid_at: instant(Date.now()),
        paid_fen: fen(amountFen),
        third_party_number: `W${made.number}`,
        recharge_id: made.id,
        expires_at: instant(Date.now()),
        created_at: instant(Date.now()),
        user_id: (await api.database.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id,
      })
      .execute();
    return made.id;
  }

  const refundsOf = async (id: number) =>
    (await api.get<AnswerOf<typeof listRechargeRefunds>>(`/recharges/${id}/refunds`)).data;
  const channelRefundOf = async (id: RechargeId) => {
    const { channel_refund_id } = await api.database.db
      .selectFrom('recharge_refunds')
      .select('channel_refund_id')
      .where('recharge_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return channel_refund_id as RefundId;
  };

  test('its money is frozen until the channel has sent it, and then gone', async () => {
    const place = await newPlace();
    const id = await paidByChannel(place, 2_000);
    expect((await api.post(`/recharges/${id}/reversals`, { reason: 'Wrong' })).envelope.message.error).toBe(
      'recharge.paid_by_channel',
    );
    expect((await refund(id, 1_500)).data).toMatchObject({ state: 'partly_refunded' });
    expect(await partsOf(place)).toEqual([10_500, 0, 1_500]);
    expect((await refundsOf(id)).refunds).toMatchObject([{ state: 'processing', amountFen: 1_500, endedAt: null }]);
    const channelRefundId = await channelRefundOf(id);
    await api.database.db
      .updateTable('channel_refunds')
      .set({ result_code: 'ABNORMAL', result_text: '' })
      .where('id', '=', channelRefundId)
      .execute();
    expect((await refundsOf(id)).refunds).toMatchObject([{ state: 'processing', failure: 'ABNORMAL' }]);
    await api.database.db
      .updateTable('channel_refunds')
      .set({ result_code: null, result_text: null })
      .where('id', '=', channelRefundId)
      .execute();
    const ended = { id: channelRefundId, number: 'F', refusal: null };
    for (let times = 0; times < 2; times += 1) {
      await api.database.db.transaction().execute((trx) => endRefund(trx, ended, instant(Date.now())));
    }
    expect(await partsOf(place)).toEqual([10_500, 0, 0]);
    expect((await refundsOf(id)).refunds).toMatchObject([{ state: 'done' }]);
    expect(await balanceOf(api.database, 'channel:wechat')).toBe(1_500);
  });

  test('when the channel refuses, the money and its gift are back, refund failed is on record, and it can be tried again', async () => {
    const place = await newPlace();
    await promote(500);
    const id = await paidByChannel(place, 10_000);
    expect((await refund(id, 10_000)).status).toBe(200);
    expect(await partsOf(place)).toEqual([10_000, 0, 10_000]);
    const refusal = { code: 'NOTENOUGH', text: 'Not enough money at the channel' };
    const ended = { id: await channelRefundOf(id), number: 'F', refusal };
    await api.database.db.transaction().execute((trx) => endRefund(trx, ended as never, instant(Date.now())));
    expect(await partsOf(place)).toEqual([20_000, 500, 0]);
    const [made] = await movements(`cardId=${place.cardId}&type=system_recharge`);
    const told = await movements(`number=${made?.number}`);
    expect(told.map(({ type, amountFen, state }) => [type, amountFen, state])).toEqual([
      ['refund_failed', 10_500, 'done'],
      ['withdrawal', -10_500, 'done'],
      ['system_recharge', 10_500, 'done'],
    ]);
    expect((await refundsOf(id)).refunds).toMatchObject([{ state: 'failed', failure: refusal.text }]);
    expect((await refundsOf(id)).refundableFen).toBe(10_000);
    await api.database.pool.query(`update channel_refunds set state = 'failed', ended_at = now(), next_try_at = null`);
    expect((await refund(id, 10_000)).status).toBe(200);
  });

  test('where its channel is off the refund is refused and nothing is frozen, also after an approval', async () => {
    const place = await newPlace();
    const id = await paidByChannel(place, 2_000);
    const limit = (value: string) =>
      api.database.pool.query(`update configs set value = $1 where key = 'second_person_recharge_refund_fen'`, [value]);
    await limit('0');
    const { data } = await refund(id, 1_000);
    const { waitsFor } = data as unknown as Waits;
    await limit('off');
    const wechat = channels.get('wechat');
    channels.delete('wechat');
    try {
      expect((await refund(id, 1_500)).envelope.message).toMatchObject({ status: 409, error: 'channel.off' });
      const decider = await api.addUser({
        name: 'decider',
        permissions: ['approval.read', 'approval.decide', 'recharge.read', 'recharge.refund'],
      });
      const decided = await api.post(`/approvals/${waitsFor.id}/decisions`, { decision: 'approve' }, decider);
      expect(decided.data).toMatchObject({ state: 'failed', failure: { code: 'channel.off' } });
      expect(await partsOf(place)).toEqual([12_000, 0, 0]);
      expect((await refundsOf(id)).refunds).toEqual([]);
    } finally {
      if (wechat !== undefined) channels.set('wechat', wechat);
    }
  });

  test('a recharge of a replaced card is refunded from the card that replaced it, and a refused refund is back there', async () => {
    const place = await newPlace();
    const id = await paidByChannel(place, 10_000);
    const number = '00000000FACE0001';
    const replaced = await api.post<{ id: CardId }>(`/cards/${place.cardId}/replacements`, {
      number,
      physicalNumber: number,
    });
    expect(replaced.status).toBe(200);
    const present = { ...place, cardId: replaced.data.id };
    expect((await refundsOf(id)).refundableFen).toBe(10_000);
    expect((await refund(id, 4_000)).data).toMatchObject({ state: 'partly_refunded' });
    expect(await partsOf(present)).toEqual([16_000, 0, 4_000]);
    const refusal = { code: 'NOTENOUGH', text: 'Not enough money at the channel' };
    const ended = { id: await channelRefundOf(id), number: 'F', refusal };
    await api.database.db.transaction().execute((trx) => endRefund(trx, ended as never, instant(Date.now())));
    expect(await partsOf(present)).toEqual([20_000, 0, 0]);
    await api.database.pool.query(`update channel_refunds set state = 'failed', ended_at = now(), next_try_at = null`);
    expect((await refund(id, 4_000)).status).toBe(200);
    const sent = { id: await channelRefundOf(id), number: 'F', refusal: null };
    await api.database.db.transaction().execute((trx) => endRefund(trx, sent, instant(Date.now())));
    expect(await partsOf(present)).toEqual([16_000, 0, 0]);
    expect(await partsOf(place)).toEqual([0, 0, 0]);
  });
});
