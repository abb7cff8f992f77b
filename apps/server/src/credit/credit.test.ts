import type { CreditMovement, CreditScore } from '@voltdeck/contract/credit';
import { customerAccount } from '@voltdeck/ledger/account';
import { giftTransfer } from '@voltdeck/ledger/recharge';
import type { CustomerId, OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

type Page<Item> = { items: Item[] };

const now: Instant = instant(Date.parse('2026-11-21T04:00:00Z'));
let api: TestApi;
let place: Place;

beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  place = await makePlace(api.database, null, 'credit');
});
afterEach(() => api.close());

const scores = async (query = '') => (await api.get<Page<CreditScore>>(`/credits?${query}`)).data.items;
const movements = async (query = '') => (await api.get<Page<CreditMovement>>(`/credit-movements?${query}`)).data.items;
const changes = async () => (await movements()).map(({ kind, points, after }) => [kind, points, after]);

async function setRate(value: string) {
  await api.database.db.updateTable('configs').set({ value }).where('key', '=', 'credit_points_per_yuan').execute();
}

/** A charge of 11 yuan that waits for its figures, settled by a person. */
async function settle(over: { card?: boolean } = {}): Promise<OrderId> {
  const { card = true } = over;
  const id = await makeOrder(api.database, place, instant(now - 60 * minuteMs), {
    state: 'settling',
    waits_for: 'person',
    payment_state: 'unpaid',
    payment_type: card ? 'card' : 'online',
    settled_at: null,
    amount_fen: fen(0),
    electricity_fee_fen: fen(0),
    service_fee_fen: fen(0),
    paid_fen: fen(0),
  });
  const body = { energyWh: 10_000, endedAt: '2026-11-21T03:30:00Z', reason: 'the meter says so' };
  const settled = await api.post(`/orders/${id}/settlements`, body);
  expect(settled.envelope.message.status).toBe(200);
  return id;
}

describe('points for what was really paid', () => {
  test('a settled order of a card gives points to whoever holds the card, in the same transaction', async () => {
    const orderId = await settle();
    expect(await scores()).toMatchObject([
      { id: place.customerId, phone: place.phone, userType: 'card_holder', score: 11, consumedFen: 1_100 },
    ]);
    expect(await movements()).toMatchObject([{ kind: 'order_paid', orderId, points: 11, after: 11, amountFen: 1_100 }]);
  });

  test('fractions of a point are kept and count on', async () => {
    await api.database.pool.query(`select count_credit($1, 'order_paid', 1, 80, 80, now())`, [place.customerId]);
    await api.database.pool.query(`select count_credit($1, 'order_paid', 2, 80, 80, now())`, [place.customerId]);
    expect(await changes()).toEqual([
      ['order_paid', 1, 1],
      ['order_paid', 0, 0],
    ]);
  });

  test('many small refunds take back exactly what the order gave', async () => {
    const orderId = await settle();
    for (const amountFen of [333, 333, 333, 101]) {
      const refunded = await api.post(`/orders/${orderId}/refunds`, { amountFen, reason: 'broken connector' });
      expect(refunded.envelope.message.status).toBe(200);
    }
    expect(await scores()).toMatchObject([{ score: 0, consumedFen: 0 }]);
    expect((await movements()).reduce((sum, { points }) => sum + points, 0)).toBe(0);
    expect((await movements('kind=order_refunded')).length).toBe(4);
  });

  test('a refund takes no more than the score has', async () => {
    const orderId = await settle();
    await adjust(-9);
    await api.post(`/orders/${orderId}/refunds`, { amountFen: 1_100, reason: 'broken connector' });
    expect(await scores()).toMatchObject([{ score: 0 }]);
  });

  test('an order that was settled while points were off gives none, and its refund takes none', async () => {
    await setRate('0');
    const orderId = await settle();
    expect(await movements()).toEqual([]);
    await setRate('3');
    await api.post(`/orders/${orderId}/refunds`, { amountFen: 500, reason: 'broken connector' });
    expect(await movements()).toEqual([]);
    await settle();
    expect(await scores()).toMatchObject([{ score: 33 }]);
  });

  test('a debt counts when it is paid, and no more when that payment is undone', async () => {
    await api.database.db
      .updateTable('ledger_accounts')
      .set({ balance_fen: fen(400) })
      .where('key', '=', `card:${place.cardId}`)
      .execute();
    await settle();
    expect(await scores()).toMatchObject([{ score: 4, consumedFen: 400 }]);
    const recharge = await api.post<{ id: number }>('/recharges', { cardId: place.cardId, amountFen: 1_000 });
    expect(await scores()).toMatchObject([{ score: 11, consumedFen: 1_100 }]);
    await api.post(`/recharges/${recharge.data.id}/reversals`, { reason: 'wrong card' });
    expect(await scores()).toMatchObject([{ score: 4, consumedFen: 400 }]);
  });

  test('gifts give no points', async () => {
    const gift = giftTransfer({ id: 1, wallet: customerAccount(place.customerId), amountFen: fen(5_000) });
    if (!gift.ok) throw new Error(gift.error.code);
    await api.database.db.transaction().execute((trx) => postTransfer(trx, gift.value, now));
    await settle({ card: false });
    expect(await movements()).toEqual([]);
  });
});

async function adjust(points: number, customerId: CustomerId = place.customerId) {
  return api.post<CreditScore>(`/credits/${customerId}/adjustments`, { points, reason: 'Goodwill' });
}

describe('adjustments by hand', () => {
  test('an adjustment adds and takes points with its reason, for users without a score too', async () => {
    expect((await adjust(25)).data).toMatchObject({ id: place.customerId, score: 25, consumedFen: 0 });
    expect((await adjust(-5)).data).toMatchObject({ score: 20 });
    expect(await movements('kind=adjusted')).toMatchObject([
      { points: -5, after: 20, reason: 'Goodwill', orderNumber: null, userName: expect.any(String) },
      { points: 25, after: 25 },
    ]);
    const { rows } = await api.database.pool.query(
      `select record_id from audit_entries where action = 'credit.adjust'`,
    );
    expect(rows).toEqual([{ record_id: String(place.customerId) }, { record_id: String(place.customerId) }]);
  });

  test('a score is never adjusted below zero, and never by nothing or without a reason', async () => {
    await adjust(3);
    const refused = await api.post(
      `/credits/${place.customerId}/adjustments`,
      { points: -4, reason: 'Too many' },
      { language: 'en' },
    );
    expect(refused.envelope.message).toMatchObject({
      status: 409,
      error: 'credit.too_low',
      message: expect.stringContaining('3 points'),
    });
    expect((await adjust(0)).status).toBe(422);
    expect((await api.post(`/credits/${place.customerId}/adjustments`, { points: 1, reason: '' })).status).toBe(422);
    expect((await adjust(1, 999 as CustomerId)).envelope.message.error).toBe('record.not_found');
    expect(await scores()).toMatchObject([{ score: 3 }]);
  });

  test('an agent’s people adjust no points, and a merged record gets none', async () => {
    const agentId = await api.addAgent('Adjusting');
    const served = await makePlace(api.database, agentId, 'adjusting');
    const permissions = ['credit.read', 'credit.adjust'] as const;
    const { token } = await api.addUser({ name: 'adjusting', agentId, scope: 'agent', permissions });
    const ask = (id: CustomerId) =>
      api.post(`/credits/${id}/adjustments`, { points: 5, reason: 'Goodwill' }, { token });
    expect((await ask(served.customerId)).envelope.message).toMatchObject({ status: 403, error: 'access.denied' });
    expect((await ask(place.customerId)).envelope.message.error).toBe('record.not_found');
    expect(await movements(`phone=${served.phone}`)).toEqual([]);
    const merge = { intoId: place.customerId, reason: 'One person' };
    expect((await api.post(`/customers/${served.customerId}/merges`, merge)).status).toBe(200);
    expect((await adjust(5, served.customerId)).envelope.message.error).toBe('customer.merged');
  });

  test('a repeated adjustment counts once', async () => {
    const path = `/credits/${place.customerId}/adjustments`;
    const body = { points: 7, reason: 'Goodwill' };
    await api.post(path, body, { key: 'the-same-key' });
    expect((await api.post<CreditScore>(path, body, { key: 'the-same-key' })).data.score).toBe(7);
    expect(await movements()).toHaveLength(1);
  });
});

test('scores and movements are found by phone, name, user type, order and kind', async () => {
  const other = await makePlace(api.database, null, 'other');
  const orderId = await settle();
  await adjust(100, other.customerId);
  await api.database.db.updateTable('cards').set({ customer_id: null }).where('id', '=', other.cardId).execute();
  const ids = async (query: string) => (await scores(query)).map(({ id }) => id);
  expect(await ids('')).toEqual([other.customerId, place.customerId]);
  expect(await ids('sort=-consumedFen')).toEqual([place.customerId, other.customerId]);
  expect(await ids(`phone=${place.phone}`)).toEqual([place.customerId]);
  expect(await ids('nickname=other')).toEqual([other.customerId]);
  expect(await ids('userType=account')).toEqual([other.customerId]);
  const { number } = (await api.get<{ number: string }>(`/orders/${orderId}`)).data;
  expect(await movements(`orderNumber=${number}`)).toMatchObject([
    { orderId, orderNumber: number, kind: 'order_paid', points: 11, after: 11, createdAt: toIso(now) },
  ]);
  expect(await movements(`phone=${other.phone}`)).toMatchObject([{ kind: 'adjusted' }]);
  expect(await movements('kind=order_refunded')).toEqual([]);
});

test('an agent sees the points of a customer of its card, but not the orders of others, their amounts or numbers', async () => {
  const orderId = await settle();
  const agentId = await api.addAgent('onlooker');
  const own = await makePlace(api.database, agentId, 'onlooker');
  const ownOrder = await makeOrder(api.database, own, now, { customer_id: place.customerId });
  await api.database.pool.query(`select count_credit($1, 'order_paid', $2, 300, 300, now())`, [
    place.customerId,
    ownOrder,
  ]);
  const { db } = api.database;
  await db.updateTable('cards').set({ customer_id: place.customerId }).where('id', '=', own.cardId).execute();
  const { token } = await api.addUser({ name: 'onlooker', permissions: ['credit.read'], scope: 'agent', agentId });
  const read = async (query = '') =>
    (await api.get<Page<CreditMovement>>(`/credit-movements?sort=createdAt&${query}`, { token })).data;
  const seen = (await read()).items;
  expect(seen.find(({ points }) => points === 11)).toMatchObject({ orderId: null, orderNumber: null, amountFen: null });
  expect(seen.find(({ points }) => points === 3)).toMatchObject({ orderId: ownOrder, amountFen: 300 });
  const totals = await api.get('/credit-movements/totals', { token });
  expect(totals.data).toMatchObject({ total: 2, sums: { amountFen: 300 } });
  const [all] = (await movements('kind=order_paid')).filter((movement) => movement.orderId === orderId);
  expect((await read(`orderNumber=${all?.orderNumber}`)).items).toEqual([]);
  expect(all?.amountFen).toBe(1_100);
});
