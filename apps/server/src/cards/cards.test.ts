import type { Card } from '@voltdeck/contract/cards';
import { hourMs, instant, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { authorizeCard } from '../orders/authorize-card.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'cards');
});
afterAll(() => api.close());

const now = instant(Date.now());
const authorized = async (at = now) => (await authorizeCard(api.database.db, place.cardNumber, at)).authorization;
const enable = (enabled: boolean, ask = {}) =>
  api.ask<Card>('PUT', `/cards/${place.cardId}/enabled`, { body: { enabled }, language: 'en', ...ask });
const lose = () => api.post<Card>(`/cards/${place.cardId}/losses`, undefined, { language: 'en' });
const restore = () => api.post<Card>(`/cards/${place.cardId}/restorations`, undefined, { language: 'en' });

describe('issuing a card', () => {
  test.each([
    { of: 'number', chip: 'D14B0A54', form: { number: '00000000D14B0A54' } },
    { of: 'chip', chip: 'D14B0A55', form: { number: 'C000000000000001', physicalNumber: '00000000d14b0a55' } },
    { of: 'chip', chip: '00000000D14B0A56', form: { number: 'C000000000000002', physicalNumber: 'D14B0A56' } },
  ])('a card whose $of is another card’s chip with other leading zeros is refused', async ({ chip, form }) => {
    const { db } = api.database;
    await db.updateTable('cards').set({ physical_number: chip }).where('id', '=', place.cardId).execute();
    expect((await api.post('/cards', form)).envelope.message).toMatchObject({ error: 'card.number_taken' });
    const asShown = chip.padStart(16, '0');
    expect((await authorizeCard(db, asShown, now)).cardId).toBe(place.cardId);
    await db.updateTable('cards').set({ physical_number: place.cardNumber }).where('id', '=', place.cardId).execute();
  });
});

describe('blocking a card', () => {
  test('a disabled card begins no charge until it is enabled again', async () => {
    expect(await authorized()).toBe('accepted');
    expect((await enable(false)).data).toMatchObject({ state: 'disabled' });
    expect(await authorized()).toBe('blocked');
    expect((await enable(true)).data).toMatchObject({ state: 'active' });
    expect(await authorized()).toBe('accepted');
  });

  test('a lost card is blocked until it is restored, and enabling it is refused', async () => {
    expect((await restore()).envelope.message).toMatchObject({
      error: 'card.not_lost',
      message: 'This card was not reported lost',
    });
    expect((await lose()).data).toMatchObject({ state: 'lost' });
    expect(await authorized()).toBe('blocked');
    expect((await lose()).envelope.message).toMatchObject({ status: 409, error: 'card.lost' });
    expect((await enable(true)).envelope.message.error).toBe('card.lost');
    expect((await restore()).data).toMatchObject({ state: 'active' });
    expect(await authorized()).toBe('accepted');
    const log = await api.get<{ items: { action: string }[] }>('/audit-entries?recordKind=card');
    expect(log.data.items.map(({ action }) => action)).toEqual([
      'card.restore',
      'card.lose',
      'card.enable',
      'card.disable',
    ]);
  });

  test('a cancelled card stays cancelled', async () => {
    const { db } = api.database;
    await db.updateTable('cards').set({ state: 'cancelled' }).where('id', '=', place.cardId).execute();
    for (const answer of [await enable(true), await lose(), await restore()]) {
      expect(answer.envelope.message).toMatchObject({ status: 409, error: 'card.cancelled' });
    }
    await db.updateTable('cards').set({ state: 'active' }).where('id', '=', place.cardId).execute();
  });

  test('blocking a card needs its own permission', async () => {
    const { token } = await api.addUser({ name: 'clerk', permissions: ['card.read', 'card.edit'] });
    expect((await enable(false, { token })).status).toBe(403);
    expect(await authorized()).toBe('accepted');
  });
});

test('an expired card begins no charge, and its expiry can be extended', async () => {
  const path = `/cards/${place.cardId}`;
  const expiresAt = toIso(instant(now + hourMs));
  const changed = await api.ask<Card>('PATCH', path, { body: { expiresAt } });
  expect(changed.data.expiresAt).toBe(expiresAt);
  expect(await authorized(instant(now + hourMs - 1))).toBe('accepted');
  expect(await authorized(instant(now + hourMs))).toBe('expired');
  expect((await api.ask<Card>('PATCH', path, { body: { expiresAt: null } })).data.expiresAt).toBeNull();
  expect(await authorized(instant(now + 1_000 * hourMs))).toBe('accepted');
  const wrong = await api.ask('PATCH', path, { body: { expiresAt: 'tomorrow' } });
  expect(wrong.envelope.message.fields).toMatchObject([{ path: 'expiresAt', code: 'not_instant' }]);
  const made = await api.post<Card>('/cards', { number: 'C0C0C0C0C0C0C0C0', expiresAt });
  expect(made.data.expiresAt).toBe(expiresAt);
});
