import type { ApprovalDetail } from '@voltdeck/contract/approval-records';
import type { Waits } from '@voltdeck/contract/approvals';
import type { Card } from '@voltdeck/contract/cards';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { authorizeCard } from '../orders/authorize-card.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

let api: TestApi;
let place: Place;
let serial = 0;
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  place = await makePlace(api.database, null, 'life');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

function numberOf(prefix: string): string {
  serial += 1;
  return `${prefix}${String(serial).padStart(8, '0')}`;
}

/** A card with so much paid money and gifts, in fen. */
async function cardWith(money: { paidFen?: number; giftFen?: number } = {}, form: object = {}): Promise<Card> {
  const made = await api.post<Card>('/cards', { number: numberOf('CAFE0000'), ...form });
  expect(made.envelope.message.status).toBe(200);
  const { id } = made.data;
  const { paidFen = 0, giftFen = 0 } = money;
  if (paidFen > 0) expect((await api.post('/recharges', { cardId: id, amountFen: paidFen })).status).toBe(200);
  if (giftFen > 0) {
    expect((await api.post('/gifts', { cardId: id, amountFen: giftFen, reason: 'A welcome' })).status).toBe(200);
  }
  return made.data;
}

const find = async (id: CardId) => (await api.get<Card>(`/cards/${id}`)).data;
const refusal = (answer: { envelope: { message: object } }) => answer.envelope.message;
const bind = (id: CardId, body: object, ask: Ask = {}) => api.ask<Card>('PUT', `/cards/${id}/holder`, { body, ...ask });
const replace = (id: CardId, body: object = { number: numberOf('BEEF0000') }, ask: Ask = {}) =>
  api.post<Card>(`/cards/${id}/replacements`, body, { language: 'en', ...ask });
const cancel = (id: CardId, body: object = { reason: 'Moved away' }, ask: Ask = {}) =>
  api.post<Card>(`/cards/${id}/cancellations`, body, { language: 'en', ...ask });
const movementsOf = (id: CardId) =>
  api.database.db
    .selectFrom('movements')
    .select(['type', 'paid_fen', 'gift_fen', 'paid_after_fen', 'gift_after_fen', 'channel', 'remark'])
    .where('card_id', '=', id)
    .orderBy('id')
    .execute();
const balanceOf = async (key: string) => {
  const { rows } = await api.database.pool.query<{ fen: number }>(
    'select coalesce(sum(balance_fen), 0)::bigint as fen from ledger_accounts where key = $1',
    [key],
  );
  return Number(rows[0]?.fen);
};

describe('what a card is', () => {
  test('a card is online unless it is issued for offline lists, and both can be changed with the amount per tap', async () => {
    const card = await cardWith({}, { type: 'offline', tapAmountFen: 200 });
    expect(card).toMatchObject({ type: 'offline', tapAmountFen: 200, boundAt: null, successorId: null });
    const changed = await api.ask<Card>('PATCH', `/cards/${card.id}`, { body: { type: 'online', tapAmountFen: null } });
    expect(changed.data).toMatchObject({ type: 'online', tapAmountFen: null, expiresAt: null });
    const tooMuch = await api.ask('PATCH', `/cards/${card.id}`, { body: { tapAmountFen: 100_001 } });
    expect(tooMuch.envelope.message.fields).toMatchObject([{ path: 'tapAmountFen', code: 'too_big' }]);
    const listed = await api.get<{ items: Card[] }>('/cards?type=offline');
    expect(listed.data.items.map(({ id }) => id)).not.toContain(card.id);
    expect((await cardWith()).type).toBe('online');
  });
});

describe('binding a card', () => {
  test('a card is bound by phone, with the time, and freed again; the audit log has both', async () => {
    const card = await cardWith({ paidFen: 500 });
    const bound = await bind(card.id, { customerPhone: place.phone });
    expect(bound.data).toMatchObject({
      customerId: place.customerId,
      customerPhone: place.phone,
      boundAt: '2026-11-21T04:00:00.000Z',
      balanceFen: 500,
    });
    expect((await bind(card.id, { customerPhone: null })).data).toMatchObject({ customerId: null, boundAt: null });
    const log = await api.get<{ items: { action: string }[] }>(`/audit-entries?recordKind=card&recordId=${card.id}`);
    expect(log.data.items.map(({ action }) => action)).toEqual(['card.unbind', 'card.bind', 'card.create']);
  });

  test('an unknown phone, an incomplete one and two users at once are refused', async () => {
    const { id } = await cardWith();
    for (const [body, fault] of [
      [{ customerPhone: '13999999999' }, { path: 'customerPhone', code: 'unknown_reference' }],
      [{ customerPhone: '139' }, { path: 'customerPhone', code: 'phone_length' }],
      [{ customerPhone: '1399999999x' }, { path: 'customerPhone', code: 'phone_digits' }],
      [{}, { path: 'customerPhone', code: 'required' }],
      [
        { customerPhone: place.phone, customerId: place.customerId },
        { path: 'customerId', code: 'only_one' },
      ],
    ] as const) {
      expect((await bind(id, body)).envelope.message.fields).toMatchObject([fault]);
    }
  });

  test('an agent binds whoever it knows the whole phone of, and may try twenty new phones a day', async () => {
    const agentId = await api.addAgent('binders');
    const permissions = ['card.read', 'card.edit'] as const;
    const { token } = await api.addUser({ name: 'binder', permissions, scope: 'agent', agentId });
    const made = await api.post<Card>('/cards', { number: numberOf('A9E00000') }, { token });
    const stranger = await api.post<{ id: CustomerId }>('/customers', { phone: '13811112222', nickname: 'New' });
    expect(stranger.status).toBe(200);
    const bound = await bind(made.data.id, { customerPhone: '13811112222' }, { token });
    expect(bound.data.customerId).toBe(stranger.data.id);
    for (let miss = 0; miss < 19; miss += 1) {
      expect((await bind(made.data.id, { customerPhone: '13900000000' }, { token })).status).toBe(422);
    }
    expect(refusal(await bind(made.data.id, { customerPhone: '13811112222' }, { token }))).toMatchObject({
      error: 'request.too_many',
    });
    expect((await bind((await cardWith()).id, { customerPhone: null }, { token })).status).toBe(404);
  });

  test('an agent cannot look up more than twenty registered users a day by binding one card to each', async () => {
    const agentId = await api.addAgent('collectors');
    const permissions = ['card.read', 'card.edit'] as const;
    const { token } = await api.addUser({ name: 'collector', permissions, scope: 'agent', agentId });
    const made = await api.post<Card>('/cards', { number: numberOf('A9E10000') }, { token });
    const phoneOf = (index: number) => `1381111${3000 + index}`;
    for (let index = 0; index <= 20; index += 1) {
      await api.post('/customers', { phone: phoneOf(index), nickname: 'Somebody' });
    }
    for (let index = 0; index < 20; index += 1) {
      expect((await bind(made.data.id, { customerPhone: phoneOf(index) }, { token })).status).toBe(200);
      // Its own customer is no news.
      expect((await bind(made.data.id, { customerPhone: phoneOf(index) }, { token })).status).toBe(
        index === 19 ? 429 : 200,
      );
    }
    const last = await bind(made.data.id, { customerPhone: phoneOf(20) }, { token });
    expect(refusal(last)).toMatchObject({ error: 'request.too_many' });
  });
});

describe('replacing a card', () => {
  test('a lost card’s successor has both parts of its money, its holder, vehicle, type, expiry and amount per tap', async () => {
    const expiresAt = '2030-01-01T00:00:00.000Z';
    const old = await cardWith(
      { paidFen: 10_000, giftFen: 300 },
      { type: 'offline', tapAmountFen: 150, customerId: place.customerId, expiresAt },
    );
    await api.post('/vehicles', { vin: 'LSVAM4187C2184860', cardNumber: old.number });
    await api.post(`/cards/${old.id}/losses`);
    const number = numberOf('BEEF0000');
    const made = await replace(old.id, { number, physicalNumber: 'ab12cd34' });
    expect(made.data).toMatchObject({
      number,
      physicalNumber: 'AB12CD34',
      state: 'active',
      type: 'offline',
      tapAmountFen: 150,
      customerId: place.customerId,
      expiresAt,
      paidFen: 10_000,
      giftFen: 300,
    });
    expect(await find(old.id)).toMatchObject({
      state: 'cancelled',
      successorId: made.data.id,
      successorNumber: number,
      balanceFen: 0,
    });
    const vehicles = await api.get<{ items: { cardNumber: string }[] }>('/vehicles?vin=LSVAM4187C2184860');
    expect(vehicles.data.items.map(({ cardNumber }) => cardNumber)).toEqual([number]);
    const moved = { type: 'transfer', paid_fen: 10_000, gift_fen: 300, paid_after_fen: 10_000, gift_after_fen: 300 };
    expect(await movementsOf(made.data.id)).toMatchObject([moved]);
    expect((await movementsOf(old.id)).at(-1)).toMatchObject({
      type: 'transfer',
      paid_fen: -10_000,
      gift_fen: -300,
      paid_after_fen: 0,
      gift_after_fen: 0,
    });
  });

  test('its successor pays for charges begun before the card was reported lost, and not simply for those since', async () => {
    const replacedAfter = async (...acts: string[]) => {
      const old = await cardWith({ paidFen: 10_000 });
      for (const act of acts) expect((await api.post(`/cards/${old.id}/${act}`)).status, act).toBe(200);
      api.clock.now = instant(now + hourMs);
      expect((await replace(old.id)).status).toBe(200);
      const at = api.clock.now;
      api.clock.now = now;
      const beganAt = (minutes: number) =>
        authorizeCard(api.database.db, old.number, at, { startedAt: instant(now + minutes * minuteMs) });
      return [await beganAt(-1), await beganAt(0), await beganAt(30)].map(({ isReplaced }) => isReplaced);
    };
    expect(await replacedAfter('losses')).toEqual([false, true, true]);
    expect(await replacedAfter('losses', 'restorations')).toEqual([false, false, false]);
    expect(await replacedAfter()).toEqual([false, false, false]);
  });

  test('what was transferred from a card counts for its successor, so that no limit begins anew', async () => {
    const setLimit = (value: string) =>
      api.database.db.updateTable('configs').set({ value }).where('key', '=', 'second_person_transfer_fen').execute();
    await setLimit('1000');
    const old = await cardWith({ paidFen: 3_000 });
    const transfer = (cardId: CardId) =>
      api.post<object>('/transfers', { fromCardId: cardId, toCustomerId: place.customerId, amountFen: 600 });
    expect((await transfer(old.id)).data).not.toHaveProperty('waitsFor');
    const { data: successor } = await replace(old.id);
    expect((await transfer(successor.id)).data).toHaveProperty('waitsFor');
    await setLimit('100000');
    expect((await find(successor.id)).balanceFen).toBe(2_400);
  });

  test('a number that another card has, or that has not 16 of 0-9 and A-F, changes nothing', async () => {
    const old = await cardWith({ paidFen: 700 });
    expect(refusal(await replace(old.id, { number: place.cardNumber }))).toMatchObject({
      status: 409,
      error: 'card.number_taken',
    });
    const short = await replace(old.id, { number: 'A11CE' });
    expect(short.envelope.message.fields).toMatchObject([
      { path: 'number', message: 'Please Input A 16 Digit Card Number (0-9, A-F)' },
    ]);
    expect(await find(old.id)).toMatchObject({ state: 'active', balanceFen: 700 });
  });

  test('a card is replaced once, and a request sent again answers the same new card', async () => {
    const old = await cardWith({ paidFen: 700 });
    const body = { number: numberOf('BEEF0000') };
    const first = await replace(old.id, body, { key: 'one-key' });
    expect((await replace(old.id, body, { key: 'one-key' })).data).toEqual(first.data);
    expect(refusal(await replace(old.id))).toMatchObject({ status: 409, error: 'card.cancelled' });
    expect((await replace(old.id, body, { key: null })).status).toBe(400);
  });

  test('a card is neither replaced nor cancelled while a charge runs with it', async () => {
    const card = await cardWith({ paidFen: 700 });
    await makeOrder(api.database, place, now, { state: 'charging', card_id: card.id, card_number: card.number });
    for (const refused of [await replace(card.id), await cancel(card.id)]) {
      expect(refusal(refused)).toMatchObject({ status: 409, error: 'card.in_use' });
    }
    expect(await find(card.id)).toMatchObject({ state: 'active', balanceFen: 700 });
  });

  test('a card that owes is neither replaced nor cancelled until the debt is paid', async () => {
    const card = await cardWith();
    await api.database.pool.query(
      "insert into ledger_accounts (key, balance_fen, may_go_below_zero) values ($1, -250, true), ('opening', 250, true)",
      [`receivable:card:${card.id}`],
    );
    for (const refused of [await replace(card.id), await cancel(card.id)]) {
      expect(refusal(refused)).toMatchObject({
        status: 409,
        error: 'card.owes',
        message: 'This card still owes 2.50. Recharge it first: new money pays the debt',
      });
    }
    await api.database.pool.query('delete from ledger_accounts where key = any ($1)', [
      [`receivable:card:${card.id}`, 'opening'],
    ]);
  });
});

describe('cancelling a card', () => {
  test('its paid money leaves over the counter, and its gifts go back to who gave them', async () => {
    const card = await cardWith({ paidFen: 4_000, giftFen: 600 });
    const [out, given] = [await balanceOf('channel:back-office'), await balanceOf('gift-expense')];
    expect((await cancel(card.id)).data).toMatchObject({ state: 'cancelled', balanceFen: 0, frozenFen: 0 });
    expect(await balanceOf('channel:back-office')).toBe(out + 4_000);
    expect(await balanceOf('gift-expense')).toBe(given + 600);
    expect((await movementsOf(card.id)).slice(-2)).toEqual([
      {
        type: 'gift_deducted',
        paid_fen: 0,
        gift_fen: -600,
        paid_after_fen: 4_000,
        gift_after_fen: 0,
        channel: null,
        remark: 'Moved away',
      },
      {
        type: 'withdrawal',
        paid_fen: -4_000,
        gift_fen: 0,
        paid_after_fen: 0,
        gift_after_fen: 0,
        channel: 'back-office',
        remark: 'Moved away',
      },
    ]);
    const stored = await api.database.db
      .selectFrom('card_cancellations')
      .select(['payout', 'paid_fen', 'gift_fen', 'agent_id', 'reason'])
      .where('card_id', '=', card.id)
      .execute();
    expect(stored).toEqual([{ payout: 'cash', paid_fen: 4_000, gift_fen: 600, agent_id: null, reason: 'Moved away' }]);
    expect(refusal(await cancel(card.id))).toMatchObject({ error: 'card.cancelled' });
  });

  test('its paid money goes to its holder’s balance, which needs a holder', async () => {
    const card = await cardWith({ paidFen: 4_000, giftFen: 600 });
    const toHolder = { reason: 'Uses the phone now', payout: 'customer' };
    expect(refusal(await cancel(card.id, toHolder))).toMatchObject({ status: 409, error: 'card.no_holder' });
    await bind(card.id, { customerPhone: place.phone });
    const before = await balanceOf(`customer:${place.customerId}`);
    expect((await cancel(card.id, toHolder)).data).toMatchObject({ state: 'cancelled', balanceFen: 0 });
    expect(await balanceOf(`customer:${place.customerId}`)).toBe(before + 4_000);
    expect((await movementsOf(card.id)).at(-1)).toMatchObject({ type: 'transfer', paid_fen: -4_000, gift_fen: 0 });
  });

  test('an agent pays from its own till, and has its prepaid money back', async () => {
    const agentId = await api.addAgent('tills');
    const permissions = ['card.read', 'card.edit', 'card.cancel', 'recharge.create'] as const;
    const { token } = await api.addUser({ name: 'till', permissions, scope: 'agent', agentId });
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 5_000, reason: 'Paid in beforehand' });
    const { data: card } = await api.post<Card>('/cards', { number: numberOf('A9E00000') }, { token });
    await api.post('/recharges', { cardId: card.id, amountFen: 3_000 }, { token });
    expect(await balanceOf(`agent-prepaid:${agentId}`)).toBe(2_000);
    expect((await cancel(card.id, {}, { token })).data).toMatchObject({ state: 'cancelled' });
    expect(await balanceOf(`agent-prepaid:${agentId}`)).toBe(5_000);
  });

  test('a payout above the limit waits for a second person, and nothing has moved', async () => {
    const card = await cardWith({ paidFen: 50_001 });
    const waits = await cancel(card.id);
    expect(waits.data).toMatchObject({ waitsFor: { number: expect.stringMatching(/^P/) } });
    expect(await find(card.id)).toMatchObject({
      state: 'active',
      balanceFen: 50_001,
      waits: [{ kind: 'card_cancellation', amountFen: 50_001 }],
    });
    const row = await api.database.db
      .selectFrom('approvals')
      .select(['kind', 'amount_fen', 'subject_text'])
      .where('subject_id', '=', card.id)
      .execute();
    expect(row).toEqual([{ kind: 'card_cancellation', amount_fen: 50_001, subject_text: card.number }]);
  });

  test('an approved payout to the holder is refused where the card has another holder by then', async () => {
    const card = await cardWith({ paidFen: 50_001 });
    await bind(card.id, { customerPhone: place.phone });
    const toHolder = { reason: 'Uses the phone now', payout: 'customer' };
    const asked = await cancel(card.id, toHolder);
    const { id } = (asked.data as unknown as Waits).waitsFor;
    const other = await api.database.db
      .insertInto('customers')
      .values({ phone: '13877770001', nickname: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rebound = await api.database.db
      .updateTable('cards')
      .set({ customer_id: other.id })
      .where('id', '=', card.id)
      .executeTakeFirst();
    expect(rebound.numUpdatedRows).toBe(1n);
    const receiver = `${place.phone.slice(0, 3)}****${place.phone.slice(-4)}`;
    const { data: detail } = await api.get<ApprovalDetail>(`/approvals/${id}`);
    expect(detail.facts).toContainEqual({ name: 'receiver', kind: 'text', before: null, after: receiver });
    const permissions = ['approval.read', 'approval.decide', 'card.read', 'card.cancel'] as const;
    const { token } = await api.addUser({ name: 'second', permissions });
    const balances = () =>
      Promise.all([`customer:${place.customerId}`, `customer:${other.id}`].map((key) => balanceOf(key)));
    const before = await balances();
    const decided = await api.post(`/approvals/${id}/decisions`, { decision: 'approve' }, { token });
    expect(decided.data).toMatchObject({ state: 'failed', failure: { code: 'approval.amount_changed' } });
    expect(await find(card.id)).toMatchObject({ state: 'active', balanceFen: 50_001 });
    expect(await balances()).toEqual(before);
  });

  test('an approved payout reaches the holder that it was approved for', async () => {
    const card = await cardWith({ paidFen: 50_001 });
    await bind(card.id, { customerPhone: place.phone });
    const asked = await cancel(card.id, { reason: 'Uses the phone now', payout: 'customer' });
    const { id } = (asked.data as unknown as Waits).waitsFor;
    const permissions = ['approval.read', 'approval.decide', 'card.read', 'card.cancel'] as const;
    const { token } = await api.addUser({ name: 'third', permissions });
    const before = await balanceOf(`customer:${place.customerId}`);
    const decided = await api.post(`/approvals/${id}/decisions`, { decision: 'approve' }, { token });
    expect(decided.data).toMatchObject({ state: 'approved', failure: null });
    expect(await balanceOf(`customer:${place.customerId}`)).toBe(before + 50_001);
  });

  test('a cancellation that waits while its card ends in another way becomes obsolete', async () => {
    const approvalOf = async (asked: Awaited<ReturnType<typeof cancel>>) => {
      const { id } = (asked.data as unknown as Waits).waitsFor;
      return { id, find: async () => (await api.get<ApprovalDetail>(`/approvals/${id}`)).data };
    };
    const facts = [{ name: 'balance', before: 50_001, after: 0 }, { name: 'payout' }];
    const paidOut = await cardWith({ paidFen: 50_001 });
    await bind(paidOut.id, { customerPhone: place.phone });
    const overTheCounter = await approvalOf(await cancel(paidOut.id));
    const toHolder = await approvalOf(await cancel(paidOut.id, { payout: 'customer' }));
    const permissions = ['approval.read', 'approval.decide', 'card.read', 'card.cancel'] as const;
    const { token } = await api.addUser({ name: 'fourth', permissions });
    const decide = (id: number) => api.post(`/approvals/${id}/decisions`, { decision: 'approve' }, { token });
    expect((await decide(toHolder.id)).data).toMatchObject({ state: 'approved' });
    expect(await overTheCounter.find()).toMatchObject({ state: 'obsolete', failure: null, facts });
    expect(refusal(await decide(overTheCounter.id))).toMatchObject({ error: 'approval.already_decided' });

    const replaced = await cardWith({ paidFen: 50_001 });
    const waits = await approvalOf(await cancel(replaced.id));
    await replace(replaced.id);
    expect(await waits.find()).toMatchObject({ state: 'obsolete', failure: null, facts });
  });

  test('replacing and cancelling need their own permissions', async () => {
    const card = await cardWith();
    const { token } = await api.addUser({ name: 'clerk', permissions: ['card.read', 'card.edit', 'card.block'] });
    for (const refused of [await replace(card.id, undefined, { token }), await cancel(card.id, {}, { token })]) {
      expect(refusal(refused)).toMatchObject({
        status: 403,
        message: 'No operation permission, please contact the administrator',
      });
    }
  });
});

test('what an order of a replaced card is refunded goes to the card that stands in for it', async () => {
  const order = await makeOrder(api.database, place, now);
  const { data: row } = await api.get<{ paidFen: number; cardId: CardId }>(`/orders/${order}`);
  expect(row.paidFen).toBeGreaterThan(100);
  const old = await find(place.cardId);
  const { data: successor } = await replace(old.id);
  const refunded = await api.post(`/orders/${order}/refunds`, { amountFen: 100, reason: 'Charged twice' });
  expect(refunded.envelope.message).toMatchObject({ status: 200 });
  expect((await find(successor.id)).balanceFen).toBe(old.balanceFen + 100);
  expect((await find(old.id)).balanceFen).toBe(0);
});
