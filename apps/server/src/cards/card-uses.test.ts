import type { CardUse } from '@voltdeck/contract/card-uses';
import type { Card } from '@voltdeck/contract/cards';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { hourMs, instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

let api: TestApi;
let one: Place;
let other: Place;
let paidByCard: OrderId;
let later: OrderId;
beforeAll(async () => {
  api = await openTestApi();
  one = await makePlace(api.database, null, 'one');
  other = await makePlace(api.database, null, 'other');
  paidByCard = await makeOrder(api.database, one, now, { gift_paid_fen: fen(100) });
  later = await makeOrder(api.database, other, instant(now + hourMs), { energy_wh: wattHours(2_000) });
  await makeOrder(api.database, one, now, {
    card_id: null,
    card_number: null,
    payment_type: 'online',
    start_mode: 'scan',
  });
  await api.database.pool.query(
    `insert into movements (transfer_id, number, type, card_id, order_id, paid_fen, gift_fen, paid_after_fen,
                            gift_after_fen, created_at)
     values (1, 'N1', 'consume', $1, $2, -1000, -100, 7900, 50, '2026-11-21T04:31:00Z'),
            (2, 'N1', 'order_refund', $1, $2, 10, 0, 7910, 50, '2026-11-22T04:31:00Z')`,
    [one.cardId, paidByCard],
  );
});
afterAll(() => api.close());

type Uses = { items: CardUse[]; total: number };
const uses = async (query = '') => (await api.get<Uses>(`/card-uses?${query}`)).data;
const idsOf = async (query: string) => (await uses(query)).items.map(({ id }) => id);

test('each charge with a card is a usage record with its place, holder, energy, both parts paid and the balance it left', async () => {
  const { items, total } = await uses();
  expect(total).toBe(2);
  expect(items.map(({ id }) => id)).toEqual([later, paidByCard]);
  expect(items[1]).toMatchObject({
    cardNumber: one.cardNumber,
    physicalNumber: one.cardNumber,
    customerPhone: one.phone,
    siteName: 'Site one',
    stationNumber: one.stationNumber,
    connectorNumber: 1,
    state: 'completed',
    energyWh: 10_000,
    amountFen: 1_100,
    paidFen: 1_100,
    giftPaidFen: 100,
    balanceAfterFen: 7_950,
    startedAt: toIso(now),
  });
  expect(items[0]?.balanceAfterFen).toBeNull();
});

test('usage records are found by card, phone, station, site, period and state, and summed', async () => {
  for (const query of [
    `cardNumber=${one.cardNumber.toLowerCase()}`,
    `cardId=${one.cardId}`,
    `phone=${one.phone}`,
    `stationNumber=${one.stationNumber}`,
    `siteId=${one.siteId}`,
    `to=${encodeURIComponent(toIso(now))}`,
    `customerId=${one.customerId}`,
  ]) {
    expect(await idsOf(query), query).toEqual([paidByCard]);
  }
  expect(await idsOf('state=charging')).toEqual([]);
  expect(await idsOf('state=completed')).toEqual([later, paidByCard]);
  const totals = await api.get<{ sums: object }>('/card-uses/totals');
  expect(totals.data.sums).toMatchObject({ energyWh: 12_000, amountFen: 2_200, paidFen: 2_200, giftPaidFen: 100 });
});

test('a registered user sees the usage of their own cards, and an agent that of its orders', async () => {
  const agentId = await api.addAgent('users');
  const { token } = await api.addUser({ name: 'reader', permissions: ['card.read'], scope: 'agent', agentId });
  expect((await api.get<Uses>('/card-uses', { token })).data.items).toEqual([]);
  const own = await makePlace(api.database, agentId, 'agent');
  const order = await makeOrder(api.database, own, now);
  const seen = await api.get<Uses>('/card-uses', { token });
  expect(seen.data.items.map(({ id }) => id)).toEqual([order]);
  const masked = seen.data.items[0] as CardUse & Pick<Card, 'number'>;
  expect(masked.cardNumber).not.toBe(own.cardNumber);
});
