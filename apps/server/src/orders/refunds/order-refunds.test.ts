import type { OrderRefund } from '@voltdeck/contract/order-refunds';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { OrderId, OrderRefundId } from '@voltdeck/units/id';
import { dayMs, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../../http/test-records.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
});
afterEach(() => {
  api.clock.now = null;
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

/** A settled order of 10 yuan at a place of its own. */
async function settled(agentId: Place['agentId'] = null) {
  places += 1;
  const place = await makePlace(api.database, agentId, `refunds${places}`);
  const orderId = await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
  return { place, orderId };
}

const refund = (orderId: OrderId, amountFen: number, reason = 'The gun was broken') =>
  api.post<Order>(`/orders/${orderId}/refunds`, { amountFen, reason }, { language: 'en' });
const listed = async (query: string, ask = {}) =>
  (await api.get<{ items: OrderRefund[]; total: number }>(`/refunds?${query}`, ask)).data;
const refundOf = async (orderId: OrderId): Promise<OrderRefund> => {
  const { number } = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
  const { items } = await listed(`orderNumber=${number}`);
  return items[0] as OrderRefund;
};

/** A refund that a payment provider failed to make, as it will be kept. */
async function failedRefund({ place, orderId }: Awaited<ReturnType<typeof settled>>, amountFen = 300) {
  const { id } = await api.database.db
    .insertInto('order_refunds')
    .values({
      number: `F-failed-${orderId}`,
      state: 'failed',
      channel: 'original',
      third_party_number: `TP${orderId}`,
      result: 'account closed',
      order_id: orderId,
      site_id: place.siteId,
      customer_id: place.customerId,
      card_id: place.cardId,
      amount_fen: fen(amountFen),
      electricity_fee_fen: fen(0),
      service_fee_fen: fen(0),
      reason: 'The gun was broken',
      created_at: instant(Date.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const retry = (id: OrderRefundId, key?: string) =>
  api.post<OrderRefund>(`/refunds/${id}/retries`, undefined, key === undefined ? {} : { key });

describe('the list of refunds', () => {
  test('a refund is a record with its number, parts, payer, operator and times', async () => {
    const { place, orderId } = await settled();
    await refund(orderId, 250, 'Agreed by phone');
    const made = await refundOf(orderId);
    expect(made).toMatchObject({
      state: 'done',
      channel: 'balance',
      thirdPartyNumber: null,
      orderId,
      amountFen: 250,
      paidFen: 250,
      giftFen: 0,
      forgivenFen: 0,
      electricityFeeFen: 150,
      serviceFeeFen: 100,
      orderAmountFen: 1_000,
      reason: 'Agreed by phone',
      phone: place.phone,
      cardNumber: place.cardNumber,
      stationNumber: place.stationNumber,
    });
    expect(made.number).toMatch(/^B\d{20}$/);
    expect(made.operatorName).toBeTruthy();
    expect(made.doneAt).toBe(made.appliedAt);
    const { refunds } = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    expect(refunds).toMatchObject([{ number: made.number, state: 'done' }]);
    expect((await api.get<OrderRefund>(`/refunds/${made.id}`)).data).toEqual(made);
  });

  test('refunds are found by everything that their list offers', async () => {
    const { place, orderId } = await settled();
    await refund(orderId, 100);
    const made = await refundOf(orderId);
    const { number } = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    const hits = [
      `number=${made.number}`,
      `orderNumber=${number}&state=done`,
      `phone=${place.phone}&channel=balance`,
      `cardNumber=${place.cardNumber}`,
      `stationNumber=${place.stationNumber}`,
      `siteId=${place.siteId}&operatorName=${encodeURIComponent(made.operatorName ?? '')}`,
      `siteId=${place.siteId}&time=done&from=${toIso(instant(Date.now() - minuteMs))}`,
      `customerId=${place.customerId}&cardId=${place.cardId}`,
    ];
    for (const query of hits) expect([query, (await listed(query)).total]).toEqual([query, 1]);
    const misses = [
      `siteId=${place.siteId}&state=failed`,
      `siteId=${place.siteId}&channel=original`,
      `siteId=${place.siteId}&thirdPartyNumber=TP`,
      `siteId=${place.siteId}&operatorName=nobody`,
      `siteId=${place.siteId}&time=done&to=${toIso(instant(Date.now() - minuteMs))}`,
    ];
    for (const query of misses) expect([query, (await listed(query)).total]).toEqual([query, 0]);
  });

  test("an agent's user finds the refunds of that agent's orders only, and retries no others", async () => {
    const agentId = await api.addAgent('Refunds');
    const [mine, foreign] = [await settled(agentId), await settled()];
    for (const { orderId } of [mine, foreign]) await refund(orderId, 100);
    const failed = await failedRefund(foreign);
    const permissions = ['order.read', 'order.refund'] as const;
    const { token } = await api.addUser({ name: 'refund-reader', permissions, scope: 'agent', agentId });
    expect((await listed('', { token })).items.map(({ orderId }) => orderId)).toEqual([mine.orderId]);
    expect((await api.get(`/refunds/${failed}`, { token })).status).toBe(404);
    expect((await api.post(`/refunds/${failed}/retries`, undefined, { token })).status).toBe(404);
  });
});

describe('a failed refund that is made again', () => {
  test('a failed refund that is made again reaches the balance once, however often it is asked for', async () => {
    const made = await settled();
    const id = await failedRefund(made);
    const key = `card:${made.place.cardId}`;
    const before = await balanceOf(api.database, key);
    const [first, second] = await Promise.all([retry(id, 'one'), retry(id, 'other')]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await retry(id)).envelope.message.error).toBe('refund.not_failed');
    expect(await balanceOf(api.database, key)).toBe(before + 300);
    expect((await api.get<OrderRefund>(`/refunds/${id}`)).data).toMatchObject({
      state: 'done',
      channel: 'balance',
      paidFen: 300,
      electricityFeeFen: 180,
      serviceFeeFen: 120,
      thirdPartyNumber: `TP${made.orderId}`,
    });
    expect((await api.get<Order>(`/orders/${made.orderId}`)).data).toMatchObject({
      refundedFen: 300,
      paymentState: 'partly_refunded',
    });
  });

  test('a failed refund is not made again beyond what is left of its order', async () => {
    const made = await settled();
    const id = await failedRefund(made, 300);
    await refund(made.orderId, 800);
    expect((await retry(id)).envelope.message.error).toBe('order.refund_too_high');
    await refund(made.orderId, 200);
    expect((await retry(id)).envelope.message.error).toBe('order.nothing_to_refund');
    expect((await api.get<OrderRefund>(`/refunds/${id}`)).data).toMatchObject({ state: 'failed', paidFen: 0 });
  });

  test('a refund made after a failed one does not take the place of its retry in the books', async () => {
    const made = await settled();
    const id = await failedRefund(made, 300);
    expect((await refund(made.orderId, 200)).status).toBe(200);
    expect((await retry(id)).status).toBe(200);
    expect((await api.get<Order>(`/orders/${made.orderId}`)).data).toMatchObject({ refundedFen: 500 });
  });
});

describe('the period in which orders are refunded', () => {
  const endOf = async (orderId: OrderId) => Date.parse((await api.get<Order>(`/orders/${orderId}`)).data.endedAt ?? '');
  const setDays = (value: string) =>
    api.database.db.updateTable('configs').set({ value }).where('key', '=', 'refund_days').execute();

  test('an order is refunded until 180 days after its end, and not later', async () => {
    const { orderId } = await settled();
    const endedAt = await endOf(orderId);
    const { refundableUntil } = (await api.get<Order>(`/orders/${orderId}`)).data;
    expect(Date.parse(refundableUntil ?? '')).toBe(endedAt + 180 * dayMs);
    api.clock.now = instant(endedAt + 180 * dayMs + 1);
    api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
    const late = await refund(orderId, 100);
    expect(late.status).toBe(409);
    expect(late.envelope.message).toMatchObject({ error: 'order.refund_too_late' });
    expect(late.envelope.message.message).toMatch(
      /^This order could be refunded until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    );
    api.clock.now = instant(endedAt + 180 * dayMs);
    expect((await refund(orderId, 100)).status).toBe(200);
  });

  test('the parameter refund_days changes the period, and nonsense in it does not', async () => {
    const { orderId } = await settled();
    const endedAt = await endOf(orderId);
    const until = async () =>
      Date.parse((await api.get<Order>(`/orders/${orderId}`)).data.refundableUntil ?? '') - endedAt;
    await setDays('7');
    expect(await until()).toBe(7 * dayMs);
    for (const nonsense of ['0', '99999', 'soon', '']) {
      await setDays(nonsense);
      expect([nonsense, await until()]).toEqual([nonsense, 180 * dayMs]);
    }
    await setDays('180');
  });

  test('an order that is not settled is not refunded', async () => {
    const { orderId } = await settled();
    await api.database.db.updateTable('orders').set({ state: 'settling' }).where('id', '=', orderId).execute();
    expect((await refund(orderId, 100)).envelope.message.error).toBe('order.nothing_to_refund');
    await api.database.db.updateTable('orders').set({ state: 'completed' }).where('id', '=', orderId).execute();
  });
});
