import type { Waits } from '@voltdeck/contract/approvals';
import type { Card } from '@voltdeck/contract/cards';
import type { OrderDetail } from '@voltdeck/contract/orders';
import type { WalletGift, WalletTransfer } from '@voltdeck/contract/transfers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../caller/caller.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { balanceOf, makePlace, makeSettledOrder, type Place } from '../../http/test-records.ts';
import { transfersInScope } from './queries.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
  await setLimit('off');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
});

const setLimit = (value: string) =>
  api.database.db.updateTable('configs').set({ value }).where('key', '=', 'second_person_transfer_fen').execute();

async function newPlace(agentId: Place['agentId'] = null): Promise<Place> {
  places += 1;
  return makePlace(api.database, agentId, `transfer${places}`);
}

const transfer = (body: object, ask = {}) => api.post<WalletTransfer>('/transfers', body, { language: 'en', ...ask });
const give = (body: object, ask = {}) => api.post<WalletGift>('/gifts', body, { language: 'en', ...ask });
const deduct = (body: object, ask = {}) => api.post<WalletGift>('/gift-deductions', body, { language: 'en', ...ask });
const refusalOf = ({ envelope }: Awaited<ReturnType<typeof transfer>>) => envelope.message;
const movementsOf = async (number: string) =>
  (
    await api.database.pool.query(
      `select type, card_id, customer_id, paid_fen, gift_fen, paid_after_fen, gift_after_fen, remark
         from movements where number = $1 order by id`,
      [number],
    )
  ).rows;

describe('a transfer', () => {
  test('a transfer moves paid money from a card to a user, with a movement of each, and is listed for both', async () => {
    const { cardNumber, phone, cardId, customerId } = await newPlace();
    const made = await transfer({
      fromCardNumber: cardNumber,
      toCustomerPhone: phone,
      amountFen: 2_500,
      reason: 'card handed in',
    });
    expect(made.data).toMatchObject({
      kind: 'between',
      fromCardNumber: cardNumber,
      fromCustomerId: null,
      toCustomerId: customerId,
      toCardNumber: null,
      amountFen: 2_500,
      paidFen: 2_500,
      giftFen: 0,
      repaidFen: 0,
      reason: 'card handed in',
    });
    expect(made.data.number).toMatch(/^T\d{20}$/);
    expect(await balanceOf(api.database, `card:${cardId}`)).toBe(7_500);
    expect(await balanceOf(api.database, `customer:${customerId}`)).toBe(2_500);
    const told = { type: 'transfer', gift_fen: 0, gift_after_fen: 0, remark: 'card handed in' };
    expect(await movementsOf(made.data.number)).toEqual([
      { ...told, card_id: cardId, customer_id: null, paid_fen: -2_500, paid_after_fen: 7_500 },
      { ...told, card_id: null, customer_id: customerId, paid_fen: 2_500, paid_after_fen: 2_500 },
    ]);
    for (const filter of [
      `cardId=${cardId}`,
      `customerId=${customerId}`,
      `cardNumber=${cardNumber}`,
      `phone=${phone}`,
    ]) {
      const listed = await api.get<{ items: WalletTransfer[] }>(`/transfers?${filter}`, { language: 'en' });
      expect([filter, listed.data.items]).toEqual([filter, [made.data]]);
    }
  });

  test('a transfer of more than is free, or of nothing, says what may be moved (specification section 5)', async () => {
    const { cardNumber, customerId } = await newPlace();
    const sides = { fromCardNumber: cardNumber, toCustomerId: customerId };
    expect(refusalOf(await transfer({ ...sides, amountFen: 10_001 }))).toMatchObject({
      status: 422,
      error: 'transfer.too_high',
      message: 'The transfer must be between 0 and ¥100.00',
    });
    const inChinese = await transfer({ ...sides, amountFen: 10_001 }, { language: 'zh-CN' });
    expect(refusalOf(inChinese).message).toBe('转款金额须在 0 与 ¥100.00 之间');
    expect(refusalOf(await transfer({ ...sides, amountFen: 0 })).fields?.map(({ path }) => path)).toEqual([
      'amountFen',
    ]);
    expect((await transfer({ ...sides, amountFen: 10_000 })).status).toBe(200);
  });

  test('gifts and held money are not moved by a transfer between people', async () => {
    const { cardNumber, cardId, customerId } = await newPlace();
    await give({ cardId, amountFen: 5_000, reason: 'a welcome' });
    const asked = { fromCardNumber: cardNumber, toCustomerId: customerId, amountFen: 12_000 };
    expect(refusalOf(await transfer(asked))).toMatchObject({ error: 'transfer.too_high' });
    await transfer({ ...asked, amountFen: 10_000 });
    expect((await api.get<Card>(`/cards/${cardId}`)).data).toMatchObject({ paidFen: 0, giftFen: 5_000 });
  });

  test('money is not transferred to oneself, to a blocked card or to a disabled user', async () => {
    const [one, two] = [await newPlace(), await newPlace()];
    const from = { fromCardId: one.cardId, amountFen: 100 };
    expect(refusalOf(await transfer({ ...from, toCardNumber: one.cardNumber })).error).toBe('transfer.same_wallet');
    for (const state of ['lost', 'disabled', 'cancelled'] as const) {
      await api.database.db.updateTable('cards').set({ state }).where('id', '=', two.cardId).execute();
      expect(refusalOf(await transfer({ ...from, toCardId: two.cardId })).error).toBe('card.not_usable');
    }
    await api.database.db
      .updateTable('customers')
      .set({ state: 'disabled' })
      .where('id', '=', two.customerId)
      .execute();
    expect(refusalOf(await transfer({ ...from, toCustomerId: two.customerId })).error).toBe('customer.disabled');
    const cancelled = await transfer({ fromCardId: two.cardId, toCardId: one.cardId, amountFen: 100 });
    expect(refusalOf(cancelled).error).toBe('card.cancelled');
  });

  test('a transfer needs exactly one of each side', async () => {
    const faults = async (body: object) =>
      refusalOf(await transfer({ amountFen: 1, ...body })).fields?.map(({ path }) => path);
    const { cardNumber, phone } = await newPlace();
    expect(await faults({ toCustomerPhone: phone })).toEqual(['fromCardNumber']);
    expect(await faults({ fromCardNumber: cardNumber })).toEqual(['toCardNumber']);
    expect(await faults({ fromCardNumber: 'NOBODY', toCustomerPhone: phone })).toEqual(['fromCardNumber']);
    expect(await faults({ fromCardNumber: cardNumber, toCustomerPhone: phone, toCardNumber: cardNumber })).toEqual([
      'toCustomerPhone',
    ]);
  });

  test('what the receiver owes is repaid at once, and somebody who owes cannot give', async () => {
    const [debtor, friend] = [await newPlace(), await newPlace()];
    const orderId = await makeSettledOrder(api.database, debtor, { electricityFeeFen: 8_000, serviceFeeFen: 4_000 });
    const owing = await transfer({ fromCardId: debtor.cardId, toCardId: friend.cardId, amountFen: 1 });
    expect(refusalOf(owing)).toMatchObject({
      error: 'transfer.sender_owes',
      message: 'The one who pays still owes ¥20.00, which a recharge has to repay first',
    });
    const made = await transfer({ fromCardId: friend.cardId, toCardId: debtor.cardId, amountFen: 3_000 });
    expect(made.data).toMatchObject({ amountFen: 3_000, repaidFen: 2_000 });
    expect((await api.get<OrderDetail>(`/orders/${orderId}`)).data).toMatchObject({ paymentState: 'paid', owedFen: 0 });
    expect(await balanceOf(api.database, `card:${debtor.cardId}`)).toBe(1_000);
  });

  test('transfers in both directions at once neither lose money nor take more than there is', async () => {
    const [one, two] = [await newPlace(), await newPlace()];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const [from, to] = index % 2 === 0 ? [one, two] : [two, one];
        return transfer({ fromCardId: from.cardId, toCardId: to.cardId, amountFen: 3_000 });
      }),
    );
    const outcomes = new Set(answers.map(({ status, envelope }) => envelope.message.error ?? status));
    expect([...outcomes].every((outcome) => outcome === 200 || outcome === 'transfer.too_high')).toBe(true);
    const left = await Promise.all([one, two].map(({ cardId }) => balanceOf(api.database, `card:${cardId}`)));
    expect(left.reduce((sum, balance) => sum + balance, 0)).toBe(20_000);
    expect(left.every((balance) => balance >= 0)).toBe(true);
  });

  test('a repeated transfer moves the money once', async () => {
    const { cardId, customerId } = await newPlace();
    const body = { fromCardId: cardId, toCustomerId: customerId, amountFen: 100 };
    const [first, again] = [await transfer(body, { key: 'once' }), await transfer(body, { key: 'once' })];
    expect(again.data).toEqual(first.data);
    expect(await balanceOf(api.database, `customer:${customerId}`)).toBe(100);
    expect(refusalOf(await transfer(body, { key: null })).error).toBe('request.key_missing');
  });

  test('a transfer above the limit waits for a second person and moves nothing', async () => {
    const { cardId, cardNumber, customerId } = await newPlace();
    const { token } = await api.addUser({ name: 'clerk', permissions: ['transfer.create'] });
    await setLimit('5000');
    const body = { fromCardId: cardId, toCustomerId: customerId, amountFen: 6_000, reason: 'asked at the desk' };
    const waits = (await transfer(body, { token })).data as unknown as Waits;
    await setLimit('off');
    expect(waits.waitsFor.number).toMatch(/^P\d{20}$/);
    expect(await balanceOf(api.database, `card:${cardId}`)).toBe(10_000);
    const asked = await api.database.db
      .selectFrom('approvals')
      .select(['kind', 'amount_fen', 'subject_kind', 'subject_id', 'subject_text', 'reason'])
      .where('id', '=', waits.waitsFor.id)
      .executeTakeFirst();
    expect(asked).toEqual({
      kind: 'transfer',
      amount_fen: 6_000,
      subject_kind: 'card',
      subject_id: cardId,
      subject_text: cardNumber,
      reason: 'asked at the desk',
    });
  });

  test('an agent moves money between cards of its own only, and never out of a user’s balance', async () => {
    const [own, other] = [await api.addAgent('Own'), await api.addAgent('Other')];
    const [mine, alsoMine, theirs] = [await newPlace(own), await newPlace(own), await newPlace(other)];
    const { token } = await api.addUser({
      name: 'agent',
      permissions: ['transfer.create', 'recharge.read'],
      scope: 'agent',
      agentId: own,
    });
    const from = { fromCardId: mine.cardId, amountFen: 100 };
    expect((await transfer({ ...from, toCardId: alsoMine.cardId }, { token })).status).toBe(200);
    expect(refusalOf(await transfer({ ...from, toCardId: theirs.cardId }, { token })).fields).toMatchObject([
      { path: 'toCardId' },
    ]);
    const fromUser = { fromCustomerId: mine.customerId, toCardId: mine.cardId, amountFen: 100 };
    expect(refusalOf(await transfer(fromUser, { token })).error).toBe('transfer.platform_only');
    const child = await api.addAgent('Child', own);
    const below = await newPlace(child);
    const tree = await api.addUser({
      name: 'tree',
      permissions: ['transfer.create', 'recharge.read'],
      scope: 'agent_tree',
      agentId: own,
    });
    const across = await transfer({ ...from, toCardId: below.cardId }, { token: tree.token });
    expect(refusalOf(across).error).toBe('transfer.other_agent');
    // The platform may, and each agent sees it once.
    expect((await transfer({ ...from, toCardId: below.cardId })).status).toBe(200);
    const seenBy = async (asker: string) =>
      (await api.get<{ total: number }>('/transfers', { token: asker })).data.total;
    expect([await seenBy(token), await seenBy(tree.token)]).toEqual([2, 2]);
  });
});

test('users of one agent and of several find transfers by the same statement', () => {
  const textFor = (...agents: number[]) =>
    transfersInScope(api.database.db.selectFrom('wallet_transfers'), { agents } as unknown as Caller)
      ?.select('wallet_transfers.id')
      .compile().sql;
  expect(textFor(1)).toContain('from_agent_id');
  expect(textFor(1, 2, 3)).toBe(textFor(1));
});

describe('gifts', () => {
  test('a gift goes into the gift part and a deduction takes free gifts back, each with its movement', async () => {
    const { cardId, cardNumber } = await newPlace();
    const given = await give({ cardNumber, amountFen: 3_000, reason: 'an apology' });
    expect(given.data).toMatchObject({ kind: 'given', amountFen: 3_000, cardId, reason: 'an apology' });
    const taken = await deduct({ cardNumber, amountFen: 1_000, reason: 'given by mistake' });
    expect(taken.data).toMatchObject({ kind: 'deducted', amountFen: 1_000 });
    expect(await balanceOf(api.database, `card-gift:${cardId}`)).toBe(2_000);
    const told = { card_id: cardId, customer_id: null, paid_fen: 0, paid_after_fen: 10_000 };
    expect([...(await movementsOf(given.data.number)), ...(await movementsOf(taken.data.number))]).toEqual([
      { ...told, type: 'gift', gift_fen: 3_000, gift_after_fen: 3_000, remark: 'an apology' },
      { ...told, type: 'gift_deducted', gift_fen: -1_000, gift_after_fen: 2_000, remark: 'given by mistake' },
    ]);
    const listed = await api.get<{ items: WalletGift[] }>(`/gifts?cardId=${cardId}&sort=createdAt`, { language: 'en' });
    expect(listed.data.items).toEqual([given.data, taken.data]);
    const totals = await api.get<{ sums: object }>(`/gifts/totals?cardId=${cardId}`, { language: 'en' });
    expect(totals.data.sums).toEqual({ amountFen: 2_000, repaidFen: 0 });
  });

  test('a deduction of more than the free gifts says how much may be deducted', async () => {
    const { customerId } = await newPlace();
    await give({ customerId, amountFen: 500, reason: 'a welcome' });
    const answer = await deduct({ customerId, amountFen: 501, reason: 'too much' });
    expect(refusalOf(answer as never)).toMatchObject({
      error: 'gift.deduction_too_high',
      message: 'At most ¥5.00 of gifts can be taken back',
    });
    expect(await balanceOf(api.database, `customer-gift:${customerId}`)).toBe(500);
  });

  test('a gift repays debts first', async () => {
    const debtor = await newPlace();
    await makeSettledOrder(api.database, debtor, { electricityFeeFen: 8_000, serviceFeeFen: 4_000 });
    const given = await give({ cardId: debtor.cardId, amountFen: 2_500, reason: 'goodwill' });
    expect(given.data).toMatchObject({ amountFen: 2_500, repaidFen: 2_000 });
    expect(await balanceOf(api.database, `card-gift:${debtor.cardId}`)).toBe(500);
  });

  test('a gift counts in what its giver may enter in a day, and together with recharges of the same balance', async () => {
    const { db } = api.database;
    const setConfig = (key: string, value: string) =>
      db.updateTable('configs').set({ value }).where('key', '=', key).execute();
    const { token } = await api.addUser({
      name: 'generous',
      permissions: ['gift.create', 'recharge.create', 'recharge.read'],
    });
    const { cardId } = await newPlace();
    await setConfig('second_person_recharge_fen', '5000');
    expect((await api.post('/recharges', { cardId, amountFen: 3_000 }, { token })).status).toBe(200);
    const waits = (await give({ cardId, amountFen: 2_001, reason: 'a welcome' }, { token })).data as unknown as Waits;
    expect(waits.waitsFor.number).toMatch(/^P/);
    expect(await balanceOf(api.database, `card-gift:${cardId}`)).toBe(0);
    await setConfig('second_person_recharge_fen', '1000000');
    await setConfig('recharge_day_limit_fen', '4000');
    expect((await give({ cardId, amountFen: 600, reason: 'a welcome' }, { token })).status).toBe(200);
    const beyond = await give({ cardId, amountFen: 401, reason: 'a welcome' }, { token });
    expect(refusalOf(beyond as never)).toMatchObject({
      error: 'recharge.day_limit',
      message: 'The limit of ¥40.00 per user and day leaves ¥4.00 today',
    });
    await setConfig('recharge_day_limit_fen', '20000000');
    expect(await balanceOf(api.database, `card-gift:${cardId}`)).toBe(600);
  });

  test('gifts are the platform’s: an agent’s people neither give nor take them', async () => {
    const agentId = await api.addAgent('Giver');
    const { cardId } = await newPlace(agentId);
    const { token } = await api.addUser({
      name: 'giver',
      permissions: ['gift.create', 'gift.deduct'],
      scope: 'agent',
      agentId,
    });
    for (const act of [give, deduct]) {
      const answer = await act({ cardId, amountFen: 1, reason: 'because' }, { token });
      expect(answer.envelope.message.error).toBe('access.denied');
    }
  });
});
