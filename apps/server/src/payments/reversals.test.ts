import type { OrderDetail } from '@voltdeck/contract/orders';
import type { Recharge } from '@voltdeck/contract/payments';
import { instant, minuteMs } from '@voltdeck/units/instant';
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
  return makePlace(api.database, null, `reversal${places}`);
}

const recharge = async (place: Place, amountFen: number) =>
  (await api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen })).data;
const reverse = (id: number, ask = {}) =>
  api.post<Recharge>(`/recharges/${id}/reversals`, { reason: 'Typed one zero too many' }, { language: 'en', ...ask });
const cardFen = (place: Place) => balanceOf(api.database, `card:${place.cardId}`);

describe('a recharge that was entered by mistake', () => {
  test('a mistaken recharge is undone once, by a transfer of its own, with its reason and an audit entry', async () => {
    const place = await newPlace();
    const made = await recharge(place, 50_000);
    expect(await cardFen(place)).toBe(60_000);
    const undone = await reverse(made.id);
    expect(undone.data).toMatchObject({
      id: made.id,
      amountFen: 50_000,
      reversedAt: expect.any(String),
      reversalReason: 'Typed one zero too many',
    });
    expect(await cardFen(place)).toBe(10_000);
    expect((await reverse(made.id)).envelope.message).toMatchObject({
      status: 409,
      error: 'recharge.already_reversed',
      message: 'This recharge was reversed before',
    });
    const { rows } = await api.database.pool.query(
      `select key, reason from ledger_transfers where key in ('recharge:${made.id}', 'recharge:${made.id}:reversal') order by id`,
    );
    expect(rows).toEqual([
      { key: `recharge:${made.id}`, reason: 'recharge' },
      { key: `recharge:${made.id}:reversal`, reason: 'reversal' },
    ]);
    const log = await api.get<{ items: object[] }>('/audit-entries?recordKind=recharge&action=recharge.reverse');
    expect(log.data.items).toMatchObject([{ recordId: String(made.id), kind: 'money' }]);
  });

  test('a repeated reversal of a recharge takes effect once and gets the same answer', async () => {
    const place = await newPlace();
    const made = await recharge(place, 700);
    const first = await reverse(made.id, { key: 'undo-once' });
    const again = await reverse(made.id, { key: 'undo-once' });
    expect(again.envelope).toEqual(first.envelope);
    expect(await cardFen(place)).toBe(10_000);
  });

  test('only one of two people reverses a recharge', async () => {
    const place = await newPlace();
    const made = await recharge(place, 700);
    const both = await Promise.all([reverse(made.id), reverse(made.id), reverse(made.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await cardFen(place)).toBe(10_000);
  });

  test('a recharge whose money was spent cannot be reversed, and the refusal says what is left of it', async () => {
    const place = await newPlace();
    const made = await recharge(place, 500);
    await makeSettledOrder(api.database, place, { electricityFeeFen: 10_000, serviceFeeFen: 120 });
    expect((await reverse(made.id)).envelope.message).toMatchObject({
      status: 409,
      error: 'recharge.spent',
      message: 'Only ¥3.80 of this recharge is left: what was spent cannot be taken back',
    });
    expect(await cardFen(place)).toBe(380);
  });

  test('reversing a recharge makes the debts it repaid owed again', async () => {
    const place = await newPlace();
    const settledAt = instant(Date.now() - 30 * minuteMs);
    const orderId = await makeSettledOrder(api.database, place, {
      electricityFeeFen: 10_000,
      serviceFeeFen: 600,
      settledAt,
    });
    const made = await recharge(place, 1_000);
    expect(made).toMatchObject({ repaidFen: 600, balanceAfterFen: 400 });
    expect((await reverse(made.id)).status).toBe(200);
    expect(await cardFen(place)).toBe(0);
    expect(await balanceOf(api.database, `receivable:card:${place.cardId}`)).toBe(-600);
    const order = (await api.get<OrderDetail>(`/orders/${orderId}`)).data;
    expect(order).toMatchObject({ paymentState: 'partly_paid', paidFen: 10_000, owedFen: 600 });
    expect(order.timeline.at(-1)).toMatchObject({
      event: 'repayment_undone',
      params: { amountFen: 600, owedFen: 600, rechargeNumber: made.number, reason: 'Typed one zero too many' },
    });
    const again = await recharge(place, 600);
    expect(again).toMatchObject({ repaidFen: 600, balanceAfterFen: 0, owedAfterFen: 0 });
  });

  test('a recharge cannot be reversed when an order it repaid has been refunded since', async () => {
    const place = await newPlace();
    const settledAt = instant(Date.now() - 30 * minuteMs);
    const orderId = await makeSettledOrder(api.database, place, {
      electricityFeeFen: 10_000,
      serviceFeeFen: 600,
      settledAt,
    });
    const made = await recharge(place, 600);
    await api.post(`/orders/${orderId}/refunds`, { amountFen: 10_300, reason: 'Nothing was delivered' });
    expect((await reverse(made.id)).envelope.message.error).toBe('recharge.spent');
    expect(await cardFen(place)).toBe(10_300);
  });

  test('a recharge is not reversed once its owner was merged: what it repaid would be owed where nobody can pay', async () => {
    const [old, into] = [await newPlace(), await newPlace()];
    const bill = { electricityFeeFen: 600, serviceFeeFen: 0, payer: 'customer' } as const;
    const orderId = await makeSettledOrder(api.database, old, bill);
    const made = (await api.post<Recharge>('/recharges', { customerId: old.customerId, amountFen: 600 })).data;
    expect(made.repaidFen).toBe(600);
    const body = { intoId: into.customerId, reason: 'one person, two phones' };
    expect((await api.post(`/customers/${old.customerId}/merges`, body)).status).toBe(200);
    expect((await reverse(made.id)).envelope.message).toMatchObject({
      status: 409,
      error: 'recharge.wallet_moved',
      message:
        'This balance has since moved to another card or registered user: refund the recharge instead of reversing it',
    });
    expect((await reverse(made.id, { language: 'zh-CN' })).envelope.message.message).toBe(
      '该充值的余额已转入另一张IC卡或另一注册用户，不能冲正，请改用退款',
    );
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ paidFen: 600, owedFen: 0 });
    expect(await balanceOf(api.database, `receivable:customer:${old.customerId}`)).toBe(0);
  });

  test('a recharge is not reversed once its card was replaced or cancelled', async () => {
    for (const [path, body, error] of [
      ['replacements', { number: 'FEED000000000001' }, 'recharge.wallet_moved'],
      ['cancellations', { reason: 'Moved away' }, 'card.cancelled'],
    ] as const) {
      const place = await newPlace();
      await makeSettledOrder(api.database, place, { electricityFeeFen: 10_000, serviceFeeFen: 600 });
      const made = await recharge(place, 600);
      expect(made.repaidFen).toBe(600);
      expect((await api.post(`/cards/${place.cardId}/${path}`, body)).status).toBe(200);
      expect((await reverse(made.id)).envelope.message, path).toMatchObject({ status: 409, error });
      expect(await balanceOf(api.database, `receivable:card:${place.cardId}`)).toBe(0);
    }
  });

  test('a recharge repays no more than its wallet owes in the books', async () => {
    const place = await newPlace();
    const { customerId } = place;
    await makeSettledOrder(api.database, place, { electricityFeeFen: 600, serviceFeeFen: 0, payer: 'customer' });
    // As left by a reversal after a merge, before it was refused: owed in the books by the record merged from.
    const paid_fen = fen(0);
    const strayId = await makeOrder(api.database, place, instant(Date.now()), {
      payment_type: 'online',
      paid_fen,
      payment_state: 'unpaid',
    });
    const made = await api.post<Recharge>('/recharges', { customerId, amountFen: 1_000 });
    expect(made.data).toMatchObject({ repaidFen: 600, balanceAfterFen: 400, owedAfterFen: 0 });
    expect(await balanceOf(api.database, `receivable:customer:${customerId}`)).toBe(0);
    await api.database.db.updateTable('orders').set({ state: 'cancelled' }).where('id', '=', strayId).execute();
  });

  test('reversing a recharge needs the permission and an existing recharge', async () => {
    const place = await newPlace();
    const made = await recharge(place, 100);
    const { token } = await api.addUser({ name: 'cashier-only', permissions: ['recharge.create', 'recharge.read'] });
    expect((await reverse(made.id, { token })).status).toBe(403);
    expect((await reverse(999_999)).envelope.message.error).toBe('record.not_found');
    expect((await api.post(`/recharges/${made.id}/reversals`, { reason: '' })).status).toBe(422);
  });
});
