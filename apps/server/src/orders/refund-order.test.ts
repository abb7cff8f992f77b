import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { OrderId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

async function newPlace(): Promise<Place> {
  places += 1;
  return makePlace(api.database, null, `refund${places}`);
}

const settledOrder = (place: Place, bill: { electricityFeeFen: number; serviceFeeFen: number }) =>
  makeSettledOrder(api.database, place, bill);
const accountFen = (key: string) => balanceOf(api.database, key);

let keys = 0;
const refund = (orderId: OrderId, amountFen: number) => {
  keys += 1;
  return api.post<Order>(
    `/orders/${orderId}/refunds`,
    { amountFen, reason: 'The gun was broken' },
    { key: `refund-${keys}`, language: 'en' },
  );
};

test('every refund records the fees that its postings took, however small the refund', async () => {
  const place = await newPlace();
  const orderId = await settledOrder(place, { electricityFeeFen: 1, serviceFeeFen: 1 });
  for (const amountFen of [1, 1]) expect((await refund(orderId, amountFen)).status).toBe(200);
  const { rows } = await api.database.pool.query(
    `select r.electricity_fee_fen as electricity, r.service_fee_fen as service,
            coalesce(sum(p.amount_fen) filter (where f.key like 'electricity-income:%'), 0)::bigint as "fromElectricity",
            coalesce(sum(p.amount_fen) filter (where f.key like 'service-income:%'), 0)::bigint as "fromService"
       from (select *, row_number() over (order by id) as ordinal from order_refunds where order_id = $1) r
       join ledger_transfers t on t.key = 'order:' || r.order_id || ':refund:' || r.ordinal
       join ledger_postings p on p.transfer_id = t.id
       join ledger_accounts f on f.id = p.from_account_id
      group by r.id, r.ordinal, r.electricity_fee_fen, r.service_fee_fen order by r.ordinal`,
    [orderId],
  );
  expect(rows).toEqual([
    { electricity: 1, service: 0, fromElectricity: 1, fromService: 0 },
    { electricity: 0, service: 1, fromElectricity: 0, fromService: 1 },
  ]);
});

describe('a refund of an order with a debt', () => {
  test('a refund of an order with a debt reduces the debt before it gives money back', async () => {
    const place = await newPlace();
    const orderId = await settledOrder(place, { electricityFeeFen: 8_000, serviceFeeFen: 4_000 });
    expect(await accountFen(`receivable:card:${place.cardId}`)).toBe(-2_000);

    const first = await refund(orderId, 1_500);
    expect(first.data).toMatchObject({ owedFen: 500, paidFen: 10_000, refundedFen: 0, paymentState: 'partly_paid' });
    expect(await accountFen(`card:${place.cardId}`)).toBe(0);
    const second = await refund(orderId, 800);
    expect(second.data).toMatchObject({ owedFen: 0, refundedFen: 300, paymentState: 'partly_refunded' });
    expect(await accountFen(`receivable:card:${place.cardId}`)).toBe(0);
    expect(await accountFen(`card:${place.cardId}`)).toBe(300);

    const detail = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    expect(detail.refunds).toMatchObject([
      { amountFen: 1_500, forgivenFen: 1_500 },
      { amountFen: 800, forgivenFen: 500 },
    ]);
    expect((await refund(orderId, 9_701)).envelope.message).toMatchObject({
      error: 'order.refund_too_high',
      message: 'The refund must be between 0 and ¥97.00',
    });
    const last = await refund(orderId, 9_700);
    expect(last.data).toMatchObject({ refundedFen: 10_000, paymentState: 'refunded' });
    expect((await refund(orderId, 1)).envelope.message.error).toBe('order.nothing_to_refund');
  });

  test('a refund of an order that nobody paid clears the debt and gives nothing back', async () => {
    const place = await newPlace();
    const emptied = await settledOrder(place, { electricityFeeFen: 6_000, serviceFeeFen: 4_000 });
    expect((await api.get<Order>(`/orders/${emptied}`)).data).toMatchObject({ owedFen: 0 });
    const unpaid = await settledOrder(place, { electricityFeeFen: 300, serviceFeeFen: 200 });
    const refunded = await refund(unpaid, 500);
    expect(refunded.data).toMatchObject({ owedFen: 0, paidFen: 0, refundedFen: 0, paymentState: 'refunded' });
    expect(await accountFen(`card:${place.cardId}`)).toBe(0);
    expect(await accountFen(`receivable:card:${place.cardId}`)).toBe(0);
  });

  test('a refund of an order with an unknown debtor is refused', async () => {
    const place = await newPlace();
    const orderId = await makeOrder(api.database, place, instant(Date.now()), {
      card_id: null,
      customer_id: null,
      paid_fen: fen(0),
      payment_state: 'unpaid',
    });
    expect((await api.get<Order>(`/orders/${orderId}`)).data).toMatchObject({ owedFen: 0 });
    expect((await refund(orderId, 100)).envelope.message.error).toBe('order.nothing_to_refund');
  });
});

test('simultaneous refunds take back debt and money once, to the fen', async () => {
  const place = await newPlace();
  const orderId = await settledOrder(place, { electricityFeeFen: 7_003, serviceFeeFen: 4_000 });
  const answers = await Promise.all(Array.from({ length: 16 }, () => refund(orderId, 1_001)));
  // 11,003 fen allow ten refunds of 1,001; the rest is too little for another.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const { data } = await api.get<Order>(`/orders/${orderId}`);
  expect(data).toMatchObject({ owedFen: 0, paidFen: 10_000, refundedFen: 9_007, paymentState: 'partly_refunded' });
  expect(await accountFen(`card:${place.cardId}`)).toBe(9_007);
});

test("a refund of another agent's order is answered as if there were no such order", async () => {
  const mine = await api.addAgent('Mine');
  const { token } = await api.addUser({
    name: 'refunder',
    permissions: ['order.refund', 'order.read'],
    scope: 'agent',
    agentId: mine,
  });
  const place = await newPlace();
  const orderId = await settledOrder(place, { electricityFeeFen: 100, serviceFeeFen: 100 });
  const body = { amountFen: 100, reason: 'The gun was broken' };
  const refused = await api.post(`/orders/${orderId}/refunds`, body, { token, key: 'not-mine' });
  expect(refused.envelope.message).toMatchObject({ status: 404, error: 'record.not_found' });
});
