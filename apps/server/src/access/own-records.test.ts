import { inflateRawSync } from 'node:zlib';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';

const everything = Object.keys(permissions) as Permission[];
const now = instant(Date.parse('2026-11-21T04:00:00Z'));

type Person = { place: Place; orderId: OrderId; token: string };
let api: TestApi;
let ming: Person;
let hong: Person;
/** The scope of registered users, for a user who is none. */
let unlinked: string;

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  // Both charge at the same agent's stations, so the agent does not separate them.
  const agentId = await api.addAgent('Agent');
  const person = async (name: string): Promise<Person> => {
    const place = await makePlace(api.database, agentId, name);
    const orderId = await makeOrder(api.database, place, instant(now - 60 * minuteMs));
    for (const target of [{ cardNumber: place.cardNumber }, { customerPhone: place.phone }]) {
      expect((await api.post('/recharges', { ...target, amountFen: 100 })).status).toBe(200);
    }
    const { id, token } = await api.addUser({ name, permissions: everything, scope: 'self' });
    await api.database.db
      .updateTable('users')
      .set({ kind: 'registered', customer_id: place.customerId })
      .where('id', '=', id)
      .execute();
    api.clock.now = instant((api.clock.now ?? now) + 6_000);
    return { place, orderId, token };
  };
  ming = await person('ming');
  hong = await person('hong');
  unlinked = (await api.addUser({ name: 'unlinked', permissions: everything, scope: 'self' })).token;
});
afterAll(() => api.close());

type Listed = { items: { id: number }[]; total: number };
const idsOf = async (path: string, token: string) =>
  (await api.get<Listed>(path, { token })).data.items.map(({ id }) => id);

describe('a registered person whose position reaches their own records', () => {
  test('a registered person sees their own card, order and recharges, and nobody else’s', async () => {
    for (const [mine, theirs] of [
      [ming, hong],
      [hong, ming],
    ] as const) {
      const { token, place } = mine;
      expect(await idsOf('/customers', token)).toEqual([place.customerId]);
      expect(await idsOf('/cards', token)).toEqual([place.cardId]);
      expect(await idsOf('/orders', token)).toEqual([mine.orderId]);
      expect(await idsOf(`/orders?stationNumber=${place.stationNumber}`, token)).toEqual([mine.orderId]);
      expect(await idsOf(`/orders?stationNumber=${theirs.place.stationNumber}`, token)).toEqual([]);
      expect(await idsOf('/recharges', token)).toHaveLength(2);
      const totals = await api.get('/orders/totals', { token });
      expect(totals.data).toMatchObject({ total: 1, sums: { paidFen: 1_100 } });
      const details = (person: Person) => [
        `/customers/${person.place.customerId}`,
        `/cards/${person.place.cardId}`,
        `/orders/${person.orderId}`,
        `/orders/${person.orderId}/readings`,
      ];
      for (const path of details(mine)) expect((await api.get(path, { token })).status, path).toBe(200);
      for (const path of details(theirs)) expect((await api.get(path, { token })).status, path).toBe(404);
    }
  });

  test('a registered person exports their own orders', async () => {
    const sheet = sheetOf((await api.get('/orders/export', { token: ming.token })).bytes);
    expect(sheet).toContain(ming.place.stationNumber);
    expect(sheet).not.toContain(hong.place.stationNumber);
  });

  test('a registered person’s search finds their own records by number and phone, and nobody else’s', async () => {
    const found = async (text: string) =>
      (await api.get<{ kinds: { kind: string }[] }>(`/search?text=${text}`, { token: ming.token })).data.kinds.map(
        ({ kind }) => kind,
      );
    expect(await found(ming.place.cardNumber)).toEqual(['card']);
    expect(await found(hong.place.cardNumber)).toEqual([]);
    expect(await found(ming.place.phone)).toEqual(['customer']);
    expect(await found(hong.place.phone)).toEqual([]);
    expect(await found(ming.place.stationNumber)).toEqual([]);
  });

  test('a registered person sees nothing of sites, stations, logs, users or positions', async () => {
    for (const path of ['/sites', '/stations', '/connectors', '/interaction-logs', '/agents', '/users', '/positions']) {
      expect(await idsOf(path, ming.token), path).toEqual([]);
    }
  });

  test('a registered person can only read, whatever the position grants', async () => {
    const { token, place, orderId } = ming;
    const refused = async (path: string, body?: unknown) => {
      const { envelope } = await api.post(path, body, { token });
      return envelope.message.error ?? 'done';
    };
    expect(await refused(`/orders/${orderId}/refunds`, { amountFen: 1, reason: 'because' })).toBe('record.not_found');
    expect(await refused(`/orders/${orderId}/stops`)).toBe('record.not_found');
    expect(await refused(`/orders/${orderId}/cancellations`)).toBe('record.not_found');
    expect(await refused('/recharges', { customerPhone: place.phone, amountFen: 100 })).toBe('request.invalid');
    expect(await refused('/recharges', { cardNumber: place.cardNumber, amountFen: 100 })).toBe('request.invalid');
    expect(await refused('/users', { userName: 'mine', realName: 'x' })).toBe('access.denied');
    expect(await refused('/positions', { name: 'mine', dataScope: 'self', menuCodes: [] })).toBe('access.denied');
  });
});

test('the scope of one’s own records is empty for a user without any', async () => {
  for (const path of ['/customers', '/cards', '/orders', '/recharges', '/users']) {
    expect(await idsOf(path, unlinked), path).toEqual([]);
  }
  expect((await api.get('/orders/totals', { token: unlinked })).data).toMatchObject({ total: 0 });
});

function sheetOf(bytes: Buffer): string {
  const name = 'xl/worksheets/sheet1.xml';
  const start = bytes.indexOf(name) + name.length;
  const end = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]), start);
  return inflateRawSync(bytes.subarray(start, end)).toString('utf8');
}
