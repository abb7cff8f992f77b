import type { Card } from '@voltdeck/contract/cards';
import type { MoneyMovement } from '@voltdeck/contract/movements';
import type { Recharge } from '@voltdeck/contract/payments';
import type { Promotion, previewRecharge } from '@voltdeck/contract/promotions';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { CardId } from '@voltdeck/units/id';
import { hourMs, instant, toIso } from '@voltdeck/units/instant';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../../http/test-records.ts';

let api: TestApi;
let places = 0;
beforeAll(async () => {
  api = await openTestApi();
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
  return makePlace(api.database, agentId, `promotion${places}`);
}

const form = { name: 'Autumn', satisfiedFen: 10_000, giftFen: 1_000, effective: true, displayed: true };
const promote = async (more: object = {}) => (await api.post<Promotion>('/promotions', { ...form, ...more })).data;
const recharge = (place: Place, amountFen: number, ask = {}) =>
  api.post<Recharge>('/recharges', { cardNumber: place.cardNumber, amountFen }, ask);
const giftOf = (place: Place) => balanceOf(api.database, `card-gift:${place.cardId}`);

describe('a recharge promotion', () => {
  test('a recharge of at least its amount gets the largest gift once, which its record and its movement show', async () => {
    const place = await newPlace();
    await promote({ name: 'Small', giftFen: 500 });
    const best = await promote({ name: 'Best', giftFen: 1_500 });
    await promote({ name: 'Same later', giftFen: 1_500 });
    await promote({ name: 'Out of reach', satisfiedFen: 50_000, giftFen: 9_000 });
    const preview = await api.get<AnswerOf<typeof previewRecharge>>(
      `/recharges/preview?cardId=${place.cardId}&amountFen=20000`,
    );
    expect(preview.data.promotion).toEqual({ id: best.id, name: 'Best', giftFen: 1_500 });
    const { data: made } = await recharge(place, 20_000);
    expect(made).toMatchObject({ giftFen: 1_500, promotionId: best.id, promotionName: 'Best', state: 'done' });
    expect(made).toMatchObject({ balanceBeforeFen: 10_000, balanceAfterFen: 31_500 });
    expect(await giftOf(place)).toBe(1_500);
    const { items } = (await api.get<{ items: MoneyMovement[] }>(`/movements?number=${made.number}`)).data;
    expect(items).toMatchObject([{ paidFen: 20_000, giftFen: 1_500, paidAfterFen: 30_000, giftAfterFen: 1_500 }]);
    expect((await recharge(place, 9_999)).data).toMatchObject({ giftFen: 0, promotionId: null });
  });

  test('the limit per person holds when their recharges arrive together, and counts the cards of one user', async () => {
    const place = await newPlace();
    await promote({ timesPerPerson: 2 });
    const made = await Promise.all(Array.from({ length: 5 }, () => recharge(place, 10_000)));
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(made.map(({ data }) => data.giftFen).sort((a, b) => a - b)).toEqual([0, 0, 0, 1_000, 1_000]);
    expect(await giftOf(place)).toBe(2_000);
    const own = await api.post<Recharge>('/recharges', { customerId: place.customerId, amountFen: 10_000 });
    expect(own.data.giftFen).toBe(0);
  });

  test('the limit per person holds after the replacements of a card that nobody holds', async () => {
    const { cardId } = await newPlace();
    await api.database.db.updateTable('cards').set({ customer_id: null }).where('id', '=', cardId).execute();
    await promote({ timesPerPerson: 1 });
    const giftTo = async (id: CardId) =>
      (await api.post<Recharge>('/recharges', { cardId: id, amountFen: 10_000 })).data.giftFen;
    expect(await giftTo(cardId)).toBe(1_000);
    let present = cardId;
    for (const number of ['FADE000000000001', 'FADE000000000002']) {
      present = (await api.post<Card>(`/cards/${present}/replacements`, { number })).data.id;
      expect(await giftTo(present), number).toBe(0);
    }
  });

  test('it applies within its period and to its kind of wallet only', async () => {
    const place = await newPlace();
    const now = Date.now();
    await promote({ name: 'Over', to: toIso(instant(now - hourMs)) });
    await promote({ name: 'To come', from: toIso(instant(now + hourMs)) });
    await promote({ name: 'Users only', scope: 'wallet', giftFen: 700 });
    await promote({ name: 'Off', effective: false });
    expect((await recharge(place, 10_000)).data.giftFen).toBe(0);
    const own = await api.post<Recharge>('/recharges', { customerId: place.customerId, amountFen: 10_000 });
    expect(own.data).toMatchObject({ giftFen: 700, promotionName: 'Users only' });
    const wrong = await api.post(
      '/promotions',
      { ...form, from: toIso(instant(now)), to: toIso(instant(now - hourMs)) },
      { language: 'en' },
    );
    expect(wrong.envelope.message).toMatchObject({ status: 422, error: 'promotion.period_invalid' });
  });

  test('no promotion gives more than one person may give, or again and again more than was paid', async () => {
    const promise = (more: object) => api.post('/promotions', { ...form, ...more }, { language: 'en' });
    const limitFen = 1_000_000;
    const tooHigh = await promise({ satisfiedFen: 100, giftFen: limitFen + 1, timesPerPerson: 1 });
    expect(tooHigh.envelope.message).toMatchObject({ status: 422, error: 'promotion.gift_too_high' });
    expect(tooHigh.envelope.message.message).toContain('10000.00');
    const endless = await promise({ satisfiedFen: 100, giftFen: 101 });
    expect(endless.envelope.message).toMatchObject({ status: 422, error: 'promotion.times_needed' });
    const once = await promote({ satisfiedFen: 100, giftFen: 101, timesPerPerson: 1 });
    const changed = await api.ask('PUT', `/promotions/${once.id}`, {
      body: { ...form, giftFen: 10_001, timesPerPerson: null },
    });
    expect(changed.envelope.message.error).toBe('promotion.times_needed');
    const off = { ...form, giftFen: limitFen + 1, effective: false };
    expect((await api.ask('PUT', `/promotions/${once.id}`, { body: off })).status).toBe(200);
  });

  test('prepaid money of an agent gets the promotions of that agent and none of the platform’s', async () => {
    const agentId = await api.addAgent('Promoted');
    const place = await newPlace(agentId);
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 100_000, reason: 'Paid in' });
    const { token } = await api.addUser({
      name: 'promoted',
      agentId,
      scope: 'agent',
      permissions: ['recharge.create', 'promotion.read', 'promotion.edit'],
    });
    await promote({ name: 'Of the platform', giftFen: 900 });
    expect((await recharge(place, 10_000, { token })).data.giftFen).toBe(0);
    await promote({ name: 'Of the agent', giftFen: 300, agentId });
    expect((await recharge(place, 10_000, { token })).data).toMatchObject({
      giftFen: 300,
      promotionName: 'Of the agent',
    });
    expect((await api.post('/promotions', form, { token })).status).toBe(403);
  });

  test('an agent sees how often a promotion applied to its own recharges, not to those of others', async () => {
    const agentId = await api.addAgent('Onlooker');
    const own = await newPlace(agentId);
    await api.post(`/agents/${agentId}/recharges`, { amountFen: 100_000, reason: 'Paid in' });
    const { token } = await api.addUser({
      name: 'onlooker',
      agentId,
      scope: 'agent',
      permissions: ['recharge.create', 'promotion.read'],
    });
    const platforms = await promote();
    await recharge(await newPlace(), 10_000);
    const agents = await promote({ agentId });
    expect((await recharge(own, 10_000, { token })).data.giftFen).toBe(1_000);
    const listed = (await api.get<{ items: Promotion[] }>('/promotions', { token })).data.items;
    expect(listed.find(({ id }) => id === platforms.id)).toMatchObject({ uses: 0, givenFen: 0 });
    expect(listed.find(({ id }) => id === agents.id)).toMatchObject({ uses: 1, givenFen: 1_000 });
    const all = (await api.get<{ items: Promotion[] }>('/promotions')).data.items;
    expect(all.find(({ id }) => id === platforms.id)).toMatchObject({ uses: 1, givenFen: 1_000 });
  });

  test('a used promotion can be switched off and not deleted; an unused one is deleted', async () => {
    const place = await newPlace();
    const used = await promote();
    const { data: made } = await recharge(place, 10_000);
    await api.post(`/recharges/${made.id}/refunds`, { amountFen: 10_000, reason: 'Unhappy' });
    const refused = await api.ask('DELETE', `/promotions/${used.id}`, { language: 'en' });
    expect(refused.envelope.message).toMatchObject({ status: 409, error: 'promotion.used' });
    const off = await api.ask<Promotion>('PUT', `/promotions/${used.id}`, { body: { ...form, effective: false } });
    expect(off.data).toMatchObject({
      effective: false,
      displayed: true,
      uses: 1,
      givenFen: 1_000,
      creatorName: expect.any(String),
    });
    const unused = await promote();
    expect((await api.ask('DELETE', `/promotions/${unused.id}`)).status).toBe(200);
  });
});

describe('the limits of who recharges', () => {
  test('one user enters at most the limit of the day, also when recharges are sent at once', async () => {
    const place = await newPlace();
    const { token } = await api.addUser({ name: 'cashier', permissions: ['recharge.create'] });
    await api.database.pool.query(`update configs set value = '25000' where key = 'recharge_day_limit_fen'`);
    const sent = await Promise.all(Array.from({ length: 4 }, () => recharge(place, 10_000, { token, language: 'en' })));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const refused = sent.find(({ status }) => status === 409);
    expect(refused?.envelope.message).toMatchObject({
      error: 'recharge.day_limit',
      message: 'The limit of ¥250.00 per user and day leaves ¥50.00 today',
    });
    expect((await recharge(place, 5_000, { token })).status).toBe(200);
    const other = await api.addUser({ name: 'other cashier', permissions: ['recharge.create'] });
    expect((await recharge(place, 10_000, { token: other.token })).status).toBe(200);
    await api.database.pool.query(`update configs set value = '20000000' where key = 'recharge_day_limit_fen'`);
  });

  test('a gift by hand needs its own permission and comes beside the promotion', async () => {
    const place = await newPlace();
    await promote();
    const { token } = await api.addUser({ name: 'plain cashier', permissions: ['recharge.create'] });
    const body = { cardNumber: place.cardNumber, amountFen: 10_000, giftFen: 50 };
    expect((await api.post('/recharges', body, { token })).status).toBe(403);
    expect((await api.post<Recharge>('/recharges', body)).data.giftFen).toBe(1_050);
    expect(await giftOf(place)).toBe(1_050);
  });
});
