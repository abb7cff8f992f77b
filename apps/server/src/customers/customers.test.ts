import type { Waits } from '@voltdeck/contract/approvals';
import type { Card } from '@voltdeck/contract/cards';
import type { Customer, CustomerDetail } from '@voltdeck/contract/customers';
import type { WalletTransfer } from '@voltdeck/contract/transfers';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, userPassword } from '../http/test-api.ts';
import { balanceOf, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { authorizeCard } from '../orders/authorize-card.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
  for (const key of ['second_person_transfer_fen', 'second_person_recharge_fen']) {
    await api.database.db.updateTable('configs').set({ value: 'off' }).where('key', '=', key).execute();
  }
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const now = instant(Date.now());
async function newPlace(agentId: Place['agentId'] = null): Promise<Place> {
  places += 1;
  return makePlace(api.database, agentId, `person${places}`);
}
const detailOf = async (id: number, ask = {}) => (await api.get<CustomerDetail>(`/customers/${id}`, ask)).data;
const setEnabled = (id: number, body: object, ask = {}) =>
  api.ask<Customer>('PUT', `/customers/${id}/enabled`, { body, language: 'en', ...ask });
const merge = (id: number, intoId: number, ask = {}) =>
  api.post<Customer>(
    `/customers/${id}/merges`,
    { intoId, reason: 'one person, two phones' },
    { language: 'en', ...ask },
  );
async function newCustomer(phone: string): Promise<Place['customerId']> {
  const made = await api.post<Customer>('/customers', { phone, nickname: phone });
  return made.data.id;
}
const setTransferLimit = (value: string) =>
  api.database.db.updateTable('configs').set({ value }).where('key', '=', 'second_person_transfer_fen').execute();
const errorOf = (answer: { envelope: { message: { error?: string } } }) => answer.envelope.message.error;

/** The user of a registered person's own account. */
async function ownAccount(name: string, customerId: Place['customerId']) {
  const { id } = await api.addUser({ name, permissions: ['order.read'], scope: 'self' });
  await api.database.db
    .updateTable('users')
    .set({ kind: 'registered', customer_id: customerId })
    .where('id', '=', id)
    .execute();
  return api.logIn(name, userPassword);
}

describe('what is shown of a registered user', () => {
  test('the account balance, that of all cards and their total are told apart, paid money from gifts', async () => {
    const { customerId, cardId } = await newPlace();
    await api.database.db
      .insertInto('cards')
      .values({ number: 'BB00000000000001', physical_number: 'BB00000000000001', customer_id: customerId })
      .execute();
    await api.post('/recharges', { cardNumber: 'BB00000000000001', amountFen: 500 });
    await api.post('/recharges', { customerId, amountFen: 700 });
    await api.post('/gifts', { customerId, amountFen: 30, reason: 'a welcome' });
    await api.post('/gifts', { cardId, amountFen: 4, reason: 'a welcome' });
    const shown = { balanceFen: 730, paidFen: 700, giftFen: 30, cardBalanceFen: 10_504, totalFen: 11_234, owedFen: 0 };
    expect(await detailOf(customerId)).toMatchObject({ ...shown, cards: 2, vehicles: 0, runningCharges: 0 });
    const { data } = await api.get<{ items: Customer[] }>('/customers?pageSize=100');
    expect(data.items.find(({ id }) => id === customerId)).toMatchObject(shown);
  });

  test('an agent’s people are not told of the money on other agents’ cards', async () => {
    const [own, other] = [await api.addAgent('Own'), await api.addAgent('Other')];
    const { customerId } = await newPlace(own);
    const theirs = await newPlace(other);
    await api.database.db
      .updateTable('cards')
      .set({ customer_id: customerId })
      .where('id', '=', theirs.cardId)
      .execute();
    const { token } = await api.addUser({ name: 'own', permissions: ['customer.read'], scope: 'agent', agentId: own });
    expect(await detailOf(customerId)).toMatchObject({ cards: 2, cardBalanceFen: 20_000 });
    expect(await detailOf(customerId, { token })).toMatchObject({ cards: 1, cardBalanceFen: 10_000 });
  });

  test('users who owe are found, and the limit beyond which no charge begins is told', async () => {
    const { customerId } = await newPlace();
    await makeSettledOrder(
      api.database,
      { ...(await newPlace()), customerId },
      { electricityFeeFen: 900, serviceFeeFen: 300, payer: 'customer' },
    );
    expect(await detailOf(customerId)).toMatchObject({ owedFen: 1_200, debtLimitFen: 1_000 });
    const owing = await api.get<{ items: Customer[] }>('/customers?owes=true');
    expect(owing.data.items.map(({ id }) => id)).toEqual([customerId]);
    const others = await api.get<{ items: Customer[] }>('/customers?owes=false&pageSize=100');
    expect(others.data.items.length).toBeGreaterThan(0);
    expect(others.data.items.map(({ id }) => id)).not.toContain(customerId);
  });
});

describe('a disabled user', () => {
  test('a disabled user begins no charge by card or balance and receives no money, until enabled again', async () => {
    const place = await newPlace();
    const { customerId, cardNumber, connectorId, phone } = place;
    const authorization = async () => (await authorizeCard(api.database.db, cardNumber, now)).authorization;
    expect(await authorization()).toBe('accepted');
    const disabled = await setEnabled(customerId, { enabled: false, reason: 'chargebacks' });
    expect(disabled.data).toMatchObject({ state: 'disabled', stateReason: 'chargebacks' });
    expect(await authorization()).toBe('blocked');
    expect((await api.post('/orders', { connectorId, customerPhone: phone })).status).not.toBe(200);
    for (const [path, body] of [
      ['/recharges', { customerId, amountFen: 100 }],
      ['/gifts', { customerId, amountFen: 100, reason: 'a welcome' }],
      ['/transfers', { fromCardNumber: cardNumber, toCustomerId: customerId, amountFen: 100 }],
    ] as const) {
      expect([path, errorOf(await api.post(path, body))]).toEqual([path, 'customer.disabled']);
    }
    const enabled = await setEnabled(customerId, { enabled: true });
    expect(enabled.data).toMatchObject({ state: 'normal', stateReason: '' });
    expect(await authorization()).toBe('accepted');
    expect((await api.post('/recharges', { customerId, amountFen: 100 })).status).toBe(200);
    const audited = await api.database.db
      .selectFrom('audit_entries')
      .select(['action', 'before', 'after'])
      .where('record_kind', '=', 'customer')
      .where('record_id', '=', String(customerId))
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      {
        action: 'customer.disable',
        before: { state: 'normal', reason: '' },
        after: { state: 'disabled', reason: 'chargebacks' },
      },
      {
        action: 'customer.enable',
        before: { state: 'disabled', reason: 'chargebacks' },
        after: { state: 'normal', reason: '' },
      },
    ]);
  });

  test('a charge that runs goes on when its user is disabled', async () => {
    const place = await newPlace();
    const orderId = await makeOrder(api.database, place, now, {
      state: 'charging',
      ended_at: null,
      settled_at: null,
      payment_state: 'unpaid',
      paid_fen: fen(0),
    });
    await setEnabled(place.customerId, { enabled: false });
    expect(await detailOf(place.customerId)).toMatchObject({ state: 'disabled', runningCharges: 1 });
    expect((await api.get(`/orders/${orderId}`)).data).toMatchObject({ state: 'charging' });
  });

  test('a disabled user is signed out of the own account at once and cannot sign in', async () => {
    const { customerId } = await newPlace();
    const { data } = await ownAccount('13900001111', customerId);
    expect((await api.get('/orders', { token: data.token })).status).toBe(200);
    await setEnabled(customerId, { enabled: false });
    expect(errorOf(await api.get('/orders', { token: data.token }))).toBe('session.replaced');
    expect(errorOf(await api.logIn('13900001111', userPassword))).toBe('login.disabled');
    await setEnabled(customerId, { enabled: true });
    expect((await api.logIn('13900001111', userPassword)).status).toBe(200);
  });

  test('an agent’s people neither disable nor merge users, who are the platform’s', async () => {
    const agentId = await api.addAgent('Blocker');
    const [one, two] = [await newPlace(agentId), await newPlace(agentId)];
    const { token } = await api.addUser({
      name: 'blocker',
      permissions: ['customer.block', 'customer.merge'],
      scope: 'agent',
      agentId,
    });
    expect(errorOf(await setEnabled(one.customerId, { enabled: false }, { token }))).toBe('access.denied');
    expect(errorOf(await merge(one.customerId, two.customerId, { token }))).toBe('access.denied');
  });
});

describe('merging two records of one person', () => {
  test('both parts of the money, cards, vehicles, orders and feedback go over, and the old record says where', async () => {
    const [old, into] = [await newPlace(), await newPlace()];
    await api.post('/recharges', { customerId: old.customerId, amountFen: 900 });
    await api.post('/gifts', { customerId: old.customerId, amountFen: 100, reason: 'a welcome' });
    const orderId = await makeOrder(api.database, old, now);
    await api.post('/feedbacks', { kind: 'other', description: 'Too slow', phone: old.phone });
    const merged = await merge(old.customerId, into.customerId);
    expect(merged.data).toMatchObject({ id: into.customerId, paidFen: 900, giftFen: 100, cardBalanceFen: 20_000 });
    expect(await detailOf(old.customerId)).toMatchObject({
      state: 'merged',
      stateReason: 'one person, two phones',
      mergedIntoId: into.customerId,
      mergedIntoNickname: merged.data.nickname,
      balanceFen: 0,
      cards: 0,
    });
    expect((await api.get(`/orders/${orderId}`)).data).toMatchObject({ customerId: into.customerId });
    expect((await api.get<Card>(`/cards/${old.cardId}`)).data).toMatchObject({ customerId: into.customerId });
    const feedbacks = await api.database.db.selectFrom('feedbacks').select('customer_id').execute();
    expect(feedbacks).toEqual([{ customer_id: into.customerId }]);
    const moved = await api.get<{ items: WalletTransfer[] }>(`/transfers?customerId=${old.customerId}`);
    expect(moved.data.items).toMatchObject([
      { kind: 'merged', paidFen: 900, giftFen: 100, toCustomerId: into.customerId },
    ]);
    const movements = await api.database.db
      .selectFrom('movements')
      .select(['type', 'customer_id', 'paid_fen', 'gift_fen'])
      .where('number', '=', moved.data.items[0]?.number ?? '')
      .orderBy('id')
      .execute();
    expect(movements).toEqual([
      { type: 'transfer', customer_id: old.customerId, paid_fen: -900, gift_fen: -100 },
      { type: 'transfer', customer_id: into.customerId, paid_fen: 900, gift_fen: 100 },
    ]);
    // A later refund of an old order reaches the new record.
    expect(errorOf(await api.post('/recharges', { customerId: old.customerId, amountFen: 1 }))).toBe('customer.merged');
    expect(errorOf(await setEnabled(old.customerId, { enabled: true }))).toBe('customer.merged');
    expect(errorOf(await merge(old.customerId, into.customerId))).toBe('customer.merged');
  });

  test('money that comes over repays what the other record owes', async () => {
    const [old, into] = [await newPlace(), await newPlace()];
    await makeSettledOrder(api.database, into, { electricityFeeFen: 600, serviceFeeFen: 0, payer: 'customer' });
    await api.post('/recharges', { customerId: old.customerId, amountFen: 1_000 });
    expect((await merge(old.customerId, into.customerId)).data).toMatchObject({ balanceFen: 400, owedFen: 0 });
  });

  test('a merge waits for charges that run, money that is held and debts', async () => {
    const [old, into] = [await newPlace(), await newPlace()];
    expect(errorOf(await merge(old.customerId, old.customerId))).toBe('customer.same');
    const running = {
      state: 'charging',
      ended_at: null,
      settled_at: null,
      paid_fen: fen(0),
      payment_state: 'unpaid',
    } as const;
    const orderId = await makeOrder(api.database, old, now, running);
    expect(errorOf(await merge(old.customerId, into.customerId))).toBe('customer.is_charging');
    await api.database.db.updateTable('orders').set({ state: 'cancelled' }).where('id', '=', orderId).execute();
    await makeSettledOrder(api.database, old, { electricityFeeFen: 600, serviceFeeFen: 0, payer: 'customer' });
    const owing = await merge(old.customerId, into.customerId);
    expect(owing.envelope.message).toMatchObject({
      error: 'customer.owes',
      message: 'This user still owes ¥6.00, which has to be repaid or written off first',
    });
    await api.post('/recharges', { customerId: old.customerId, amountFen: 700 });
    await setEnabled(into.customerId, { enabled: false });
    expect(errorOf(await merge(old.customerId, into.customerId))).toBe('customer.disabled');
    await setEnabled(into.customerId, { enabled: true });
    expect((await merge(old.customerId, into.customerId)).status).toBe(200);
    expect(await balanceOf(api.database, `customer:${into.customerId}`)).toBe(100);
  });

  test('the own account of the old record opens neither record, and that of the other stays open', async () => {
    const [old, into] = [await newPlace(), await newPlace()];
    const { data } = await ownAccount('13900002221', old.customerId);
    await merge(old.customerId, into.customerId);
    expect(errorOf(await api.get('/orders', { token: data.token }))).toBe('session.replaced');
    expect(errorOf(await api.logIn('13900002221', userPassword))).toBe('login.disabled');
    await ownAccount('13900002222', into.customerId);
    expect((await api.logIn('13900002222', userPassword)).status).toBe(200);
  });

  test('an empty record into one with money waits for a second person, and so does the opposite', async () => {
    const [empty, full] = [await newCustomer('13900003331'), await newPlace()];
    await api.post('/recharges', { customerId: full.customerId, amountFen: 90_001 });
    await setTransferLimit('100000');
    try {
      for (const [id, intoId] of [
        [empty, full.customerId],
        [full.customerId, empty],
      ] as const) {
        const { waitsFor } = (await merge(id, intoId)).data as unknown as Waits;
        expect((await api.get(`/approvals/${waitsFor.id}`)).data).toMatchObject({ amountFen: 100_001 });
        expect(await detailOf(id)).toMatchObject({ state: 'normal' });
      }
      expect((await merge(empty, await newCustomer('13900003332'))).data).not.toHaveProperty('waitsFor');
    } finally {
      await setTransferLimit('off');
    }
  });

  test('two opposite merges at once end with one record', async () => {
    const [one, two] = [await newPlace(), await newPlace()];
    const answers = await Promise.all([merge(one.customerId, two.customerId), merge(two.customerId, one.customerId)]);
    expect(answers.map((answer) => errorOf(answer) ?? 'merged').sort()).toEqual(['customer.merged', 'merged']);
  });
});
