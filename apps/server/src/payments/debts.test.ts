import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { Recharge } from '@voltdeck/contract/payments';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { authorizeCard } from '../orders/authorize-card.ts';
import { collectDebts } from '../orders/collect-debts.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  // A wallet's debt in the books equals that of its orders.
  const { rows } = await api.database.pool.query(`
    select coalesce(sum(owed_fen), 0)::bigint as orders,
           (select coalesce(-sum(balance_fen), 0)::bigint from ledger_accounts where key like 'receivable:%') as books
      from orders`);
  expect(rows[0].orders).toBe(rows[0].books);
  await api.close();
});

async function newPlace(): Promise<Place> {
  places += 1;
  return makePlace(api.database, null, `debt${places}`);
}

const now = Date.now();
const ago = (minutes: number) => instant(now - minutes * minuteMs);
const owing = (place: Place, billFen: number, minutes: number, payer: 'card' | 'customer' = 'card') =>
  makeSettledOrder(api.database, place, {
    electricityFeeFen: Math.ceil(billFen / 2),
    serviceFeeFen: Math.floor(billFen / 2),
    settledAt: ago(minutes),
    payer,
  });

const recharge = (body: object) => api.post<Recharge>('/recharges', body, { language: 'en' });
const orderOf = async (id: OrderId) => (await api.get<OrderDetail>(`/orders/${id}`)).data;

describe('a recharge of somebody who owes', () => {
  test('a recharge repays the oldest order first, reports what it repaid and what is free, and the orders show it', async () => {
    const place = await newPlace();
    await owing(place, 10_000, 90);
    const newer = await owing(place, 3_000, 10);
    const older = await owing(place, 2_000, 60);

    const first = await recharge({ cardNumber: place.cardNumber, amountFen: 2_500 });
    expect(first.data).toMatchObject({
      amountFen: 2_500,
      repaidFen: 2_500,
      balanceBeforeFen: 0,
      balanceAfterFen: 0,
      owedAfterFen: 2_500,
    });
    expect(await orderOf(older)).toMatchObject({ paymentState: 'paid', paidFen: 2_000, owedFen: 0 });
    expect(await orderOf(newer)).toMatchObject({ paymentState: 'partly_paid', paidFen: 500, owedFen: 2_500 });

    const second = await recharge({ cardNumber: place.cardNumber, amountFen: 10_000 });
    expect(second.data).toMatchObject({ repaidFen: 2_500, balanceAfterFen: 7_500, owedAfterFen: 0 });
    const paid = await orderOf(newer);
    expect(paid).toMatchObject({ paymentState: 'paid', paidFen: 3_000, owedFen: 0 });
    expect(paid.timeline.filter(({ event }) => event === 'debt_repaid').map(({ params }) => params)).toEqual([
      { amountFen: 500, owedFen: 2_500, rechargeNumber: first.data.number },
      { amountFen: 2_500, owedFen: 0, rechargeNumber: second.data.number },
    ]);
    expect(paid.postings.filter(({ reason }) => reason === 'debt_repaid')).toMatchObject([
      { from: `card:${place.cardId}`, to: `receivable:card:${place.cardId}`, amountFen: 500 },
      { amountFen: 2_500 },
    ]);
    const listed = await api.get<{ items: Recharge[] }>(`/recharges?cardNumber=${place.cardNumber}&sort=createdAt`, {
      language: 'en',
    });
    expect(listed.data.items).toEqual([first.data, second.data]);
  });

  test('a recharge repays the debts of a card and of a customer, each its own', async () => {
    const place = await newPlace();
    const ofCustomer = await owing(place, 700, 20, 'customer');
    await owing(place, 10_000, 19);
    const ofCard = await owing(place, 900, 10);
    const made = await recharge({ customerPhone: place.phone, amountFen: 1_000 });
    expect(made.data).toMatchObject({ repaidFen: 700, balanceAfterFen: 300, owedAfterFen: 0 });
    expect(await orderOf(ofCustomer)).toMatchObject({ paymentState: 'paid', owedFen: 0 });
    expect(await orderOf(ofCard)).toMatchObject({ paymentState: 'unpaid', owedFen: 900 });
  });

  test('simultaneous recharges repay every fen once', async () => {
    const place = await newPlace();
    await owing(place, 10_000, 90);
    const orders = await Promise.all([701, 499, 333].map((billFen, index) => owing(place, billFen, 50 - index)));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => recharge({ cardNumber: place.cardNumber, amountFen: 150 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // 1,533 fen were owed and 1,800 arrived.
    expect(answers.reduce((sum, { data }) => sum + data.repaidFen, 0)).toBe(1_533);
    expect(Math.max(...answers.map(({ data }) => data.balanceAfterFen))).toBe(267);
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(267);
    expect(await balanceOf(api.database, `receivable:card:${place.cardId}`)).toBe(0);
    for (const id of orders) expect(await orderOf(id)).toMatchObject({ paymentState: 'paid', owedFen: 0 });
  });

  test('simultaneous recharges and refunds account for every fen', async () => {
    const place = await newPlace();
    await owing(place, 10_000, 90);
    const id = await owing(place, 1_000, 30);
    const body = { amountFen: 100, reason: 'The gun was broken' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => [
        recharge({ cardNumber: place.cardNumber, amountFen: 130 }),
        api.post<Order>(`/orders/${id}/refunds`, body, { key: `race-${place.cardId}-${index}` }),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const order = await orderOf(id);
    expect(order.owedFen + order.paidFen + order.refunds.reduce((sum, { forgivenFen }) => sum + forgivenFen, 0)).toBe(
      1_000,
    );
    expect(0 - (await balanceOf(api.database, `receivable:card:${place.cardId}`))).toBe(order.owedFen);
    // 780 fen came in; what was refunded beyond the debt came back.
    expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(780 - order.paidFen + order.refundedFen);
  });
});

test('money that returns to a wallet without a recharge repays its debts a little later', async () => {
  const place = await newPlace();
  await owing(place, 10_000, 90);
  const id = await owing(place, 400, 30);
  const paid = await makeSettledOrder(api.database, await newPlace(), { electricityFeeFen: 1, serviceFeeFen: 1 });
  expect(paid).toBeGreaterThan(0);
  const earlier = (await api.get<{ items: Order[] }>(`/orders?cardNumber=${place.cardNumber}&sort=placedAt`)).data;
  const [full] = earlier.items;
  await api.post(
    `/orders/${full?.id}/refunds`,
    { amountFen: 1_000, reason: 'The gun was broken' },
    { key: 'comes-back' },
  );
  expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(1_000);
  expect(await collectDebts(api.context.on('money'))).toBe(1);
  expect(await balanceOf(api.database, `card:${place.cardId}`)).toBe(600);
  expect(await orderOf(id)).toMatchObject({ paymentState: 'paid', owedFen: 0 });
  expect(await collectDebts(api.context.on('money'))).toBe(0);
});

test('a wallet whose debt cannot be collected does not hold up the others', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => {
      const place = await newPlace();
      await owing(place, 10_000, 90);
      const id = await owing(place, 400, 30);
      const { items } = (await api.get<{ items: Order[] }>(`/orders?cardNumber=${place.cardNumber}&sort=placedAt`))
        .data;
      const body = { amountFen: 1_000, reason: 'The gun was broken' };
      await api.post(`/orders/${items[0]?.id}/refunds`, body, { key: `broken-${place.cardId}` });
      return id;
    }),
  );
  const { pool } = api.database;
  await pool.query(`create function refuse_repayment() returns trigger language plpgsql as
    $$ begin raise exception 'broken'; end $$`);
  await pool.query(`create trigger refuse_repayment before update on orders
    for each row when (new.id = ${ids[1]}) execute function refuse_repayment()`);
  try {
    expect(await collectDebts(api.context.on('money'))).toBe(2);
  } finally {
    await pool.query('drop trigger refuse_repayment on orders');
  }
  expect((await Promise.all(ids.map(orderOf))).map(({ owedFen }) => owedFen)).toEqual([0, 400, 0]);
  expect(await collectDebts(api.context.on('money'))).toBe(1);
});

describe('somebody who owes more than the limit', () => {
  const limit = async (value: string) => {
    const { items } = (await api.get<{ items: { id: number; name: string }[] }>('/sysConfig/list?key=debt_limit_fen'))
      .data;
    const [config] = items;
    return api.post('/sysConfig/editConfig', { id: config?.id, name: config?.name, key: 'debt_limit_fen', value });
  };

  test('a debtor beyond the limit cannot charge until a recharge or a higher limit, whatever else is free', async () => {
    const place = await newPlace();
    const authorized = async () =>
      (await authorizeCard(api.database.db, place.cardNumber, instant(Date.now()))).authorization;
    await owing(place, 10_000, 90);
    await owing(place, 1_001, 30);
    // Money released from a hold, before the debt is collected.
    await api.database.pool.query(
      `select post_transfer('test:free', 'correction', null, now(), '{opening}', array['card:${place.cardId}'], '{5000}', '{opening}')`,
    );
    expect(await authorized()).toBe('no_balance');
    expect((await limit('1001')).status).toBe(200);
    expect(await authorized()).toBe('accepted');
    expect((await limit('1000')).status).toBe(200);
    expect(await authorized()).toBe('no_balance');
    await recharge({ cardNumber: place.cardNumber, amountFen: 1 });
    expect(await authorized()).toBe('accepted');
  });

  test('a charge placed for a debtor beyond the limit is refused with the debt', async () => {
    const place = await newPlace();
    const { db } = api.database;
    await db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
    await db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', place.stationId).execute();
    await owing(place, 1_250, 30, 'customer');
    await owing(place, 12_345, 30);
    const start = (payer: object) =>
      api.post('/orders', { connectorId: place.connectorId, ...payer }, { language: 'en' });
    expect((await start({ customerPhone: place.phone })).envelope.message).toMatchObject({
      status: 409,
      error: 'balance.in_debt',
      message: '¥12.50 is still owed for earlier charges. Recharge first',
    });
    expect((await start({ cardNumber: place.cardNumber })).envelope.message).toMatchObject({
      error: 'balance.in_debt',
      message: '¥23.45 is still owed for earlier charges. Recharge first',
    });
  });

  test('the debt limit must be a whole number of fen', async () => {
    expect((await limit('ten')).envelope.message.fields).toMatchObject([{ path: 'value', code: 'bad_format' }]);
    expect((await limit('-1')).envelope.message.fields).toMatchObject([{ path: 'value', code: 'bad_format' }]);
    expect((await limit('1000')).status).toBe(200);
  });
});
