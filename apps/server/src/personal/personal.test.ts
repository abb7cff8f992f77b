import type { AuditEntry } from '@voltdeck/contract/audit';
import type { Card } from '@voltdeck/contract/cards';
import type { Customer } from '@voltdeck/contract/customers';
import type { InteractionLog, InteractionLogDetail } from '@voltdeck/contract/logs';
import type { Order, OrderDetail } from '@voltdeck/contract/orders';
import type { Recharge } from '@voltdeck/contract/payments';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import { lists } from '@voltdeck/contract/routes';
import type { Task } from '@voltdeck/contract/tasks';
import type { User } from '@voltdeck/contract/users';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { csvRows, sheetRows } from '../http/test-sheets.ts';
import { startJobs } from '../jobs/run-jobs.ts';
import { exchangeOf, putExchanges } from '../logs/test-exchanges.ts';

const everything = Object.keys(permissions) as Permission[];
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const chip = '00000000D14B0A54';
const vin = 'LSVAM4187C2184847';
const plate = '浙A12345';
const staffPhone = '13712345678';
const maskedStaff = '137****5678';

let api: TestApi;
let place: Place;
let orderId: OrderId;
/** Users with every permission, without and with the right to full numbers. */
let masked: { token: string };
let whole: { token: string };
let maskedUser: { id: number; phone: string };
/** The numbers as masked callers see them. */
let shownPhone: string;
let shownCard: string;

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  place = await makePlace(api.database, null, 'lake');
  const { db } = api.database;
  await db.updateTable('cards').set({ physical_number: chip }).where('id', '=', place.cardId).execute();
  const withoutRight = everything.filter((permission) => permission !== 'personal.reveal');
  const { id, token } = await api.addUser({ name: 'guard', permissions: withoutRight });
  masked = { token };
  await db.updateTable('users').set({ phone: '13800000001' }).where('id', '=', id).execute();
  maskedUser = { id, phone: '13800000001' };
  whole = { token: (await api.addUser({ name: 'clerk', permissions: everything })).token };
  shownPhone = `${place.phone.slice(0, 3)}****${place.phone.slice(-4)}`;
  shownCard = `${place.cardNumber.slice(0, 4)}********${place.cardNumber.slice(-4)}`;

  orderId = await makeOrder(api.database, place, instant(now - 60 * minuteMs), {
    card_number: place.cardNumber,
    payment_type: 'card',
    vin,
    plate,
  });
  await db
    .insertInto('charge_notes')
    .values({
      at: instant(now - 50 * minuteMs),
      station_id: place.stationId,
      connector_number: 1,
      order_id: orderId,
      kind: 'vehicle-identified',
      detail: JSON.stringify({ vin }),
    })
    .execute();
  await db
    .insertInto('order_flags')
    .values({
      order_id: orderId,
      rule: 'card_not_accepted',
      at: now,
      evidence: JSON.stringify({ cardNumber: place.cardNumber, authorization: 'blocked' }),
    })
    .execute();
  await api.post('/customers', { phone: '13600000009', nickname: 'Li' });
  await api.post('/cards', { number: 'C0C0C0C0C0C0C0C1', physicalNumber: 'AB12CD34' });
  await api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 100 });
  await api.post('/recharges', { customerPhone: place.phone, amountFen: 100 });
  await api.post('/vehicles', { vin, plate, cardNumber: place.cardNumber });
  await api.post('/feedbacks', { kind: 'other', description: 'Slow', phone: place.phone });
  await api.post('/users', { userName: staffPhone, realName: 'Wang', phone: staffPhone });
  await api.logIn(staffPhone, 'not the password');
  await putExchanges(api.database, [
    exchangeOf(place, instant(now - 3_000), {
      action: 'Authorize',
      request: `[2,"1","Authorize",{"idTag":"${place.cardNumber}"}]`,
      answer: `[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag":"${place.cardNumber}"}}]`,
    }),
    exchangeOf(place, instant(now - 2_000), {
      protocol: 'ykc',
      action: '0x47',
      direction: 'to-station',
      request: toHex(
        writeFrame({ kind: 'offline-card-query', pileNo: '32010200000001', cards: [{ physCardNo: chip }] }, 1),
      ),
      answer: null,
    }),
    exchangeOf(place, instant(now - 1_000)),
  ]);
});
afterAll(() => api.close());

const personal = () => [
  place.phone,
  place.cardNumber,
  chip,
  staffPhone,
  vin,
  plate,
  '13600000009',
  'C0C0C0C0C0C0C0C1',
  'AB12CD34',
];
const toldIn = (text: string) => personal().filter((number) => text.toUpperCase().includes(number));
const list = async <Item>(path: string, token = masked.token) =>
  (await api.get<{ items: Item[]; total: number }>(path, { token })).data.items;

describe('a caller without the right to full numbers', () => {
  test.each([...lists])(
    'a caller without the right to full numbers gets masked ones in %s and both of its files',
    async (_name, route) => {
      const page = await api.get<{ items: unknown[] }>(route.path, masked);
      expect(page.status).toBe(200);
      expect(toldIn(page.text)).toEqual([]);
      const csv = await api.get(`${route.file.path}?format=csv`, masked);
      const xlsx = await api.get(route.file.path, masked);
      expect(csvRows(csv.text).length).toBeGreaterThan(0);
      expect(toldIn(csv.text)).toEqual([]);
      expect(toldIn(JSON.stringify(sheetRows(xlsx.bytes)))).toEqual([]);
    },
  );

  test('a masked number keeps both ends and its full length', async () => {
    expect(await list<Order>('/orders')).toMatchObject([{ phone: shownPhone, cardNumber: shownCard }]);
    const order = await api.get<OrderDetail>(`/orders/${orderId}`, masked);
    expect(order.data).toMatchObject({ phone: shownPhone, cardNumber: shownCard });
    expect(order.data.flags[0]?.evidence).toMatchObject({ cardNumber: shownCard, authorization: 'blocked' });
    expect((await api.get<Customer>(`/customers/${place.customerId}`, masked)).data.phone).toBe(shownPhone);
    const cards = await list<Card>('/cards');
    expect(cards.map(({ physicalNumber }) => physicalNumber).sort()).toEqual(['0000********0A54', 'AB****34']);
    expect((await list<Recharge>('/recharges')).map(({ customerPhone }) => customerPhone)).toContain(shownPhone);
    const file = csvRows((await api.get('/orders/export?format=csv', masked)).text);
    expect(file[1]).toEqual(expect.arrayContaining([shownPhone, shownCard]));
  });

  test('a person sees their own phone, but neither phones nor phone-like login names of others', async () => {
    const users = await list<User>('/users');
    expect(users.find(({ id }) => id === maskedUser.id)?.phone).toBe(maskedUser.phone);
    expect(users.find(({ realName }) => realName === 'Wang')).toMatchObject({
      userName: maskedStaff,
      phone: maskedStaff,
    });
    expect(users.find(({ realName }) => realName === 'clerk')?.userName).toBe('clerk');
    expect(await list('/sign-ins?result=wrong_password')).toMatchObject([{ name: maskedStaff }]);
  });

  test('a vehicle with masked numbers is found by the whole plate only, and shows both ends of plate and VIN', async () => {
    const seen = { plate: '浙A***45', vin: 'LSVA*********4847' };
    expect(await list('/vehicles')).toMatchObject([seen]);
    expect(await list('/orders?vin=4847')).toMatchObject([seen]);
    expect((await api.get(`/charge-logs/${orderId}`, masked)).data).toMatchObject(seen);
    expect(await list(`/charge-notes?orderId=${orderId}`)).toMatchObject([{ values: { vin: seen.vin } }]);
    const found = async (text: string, token?: string) =>
      (await list(`/vehicles?plate=${encodeURIComponent(text)}`, token)).length;
    for (const part of ['A123', '2345', '45', '浙A']) {
      expect([await found(part, whole.token), await found(part)]).toEqual([1, 0]);
    }
    expect(await found('浙a·12345')).toBe(1);
    const entries = await list<AuditEntry>('/audit-entries?recordKind=vehicle');
    expect(entries).toMatchObject([{ action: 'vehicle.create', after: seen }]);
  });

  test('the audit log is masked', async () => {
    // The exports of the tests above fill the first pages of the log.
    const of = async (action: string) => (await list<AuditEntry>(`/audit-entries?action=${action}`))[0];
    expect((await of('customer.create'))?.after).toEqual({ phone: '136****0009', nickname: 'Li' });
    expect(await of('card.create')).toMatchObject({
      recordName: 'C0C0********C0C1',
      after: { number: 'C0C0********C0C1', physicalNumber: 'AB****34' },
    });
    expect(await of('user.create')).toMatchObject({ recordName: maskedStaff, after: { userName: maskedStaff } });
  });

  test('the interaction log is masked, in text and in bytes', async () => {
    const logs = await list<InteractionLog>('/interaction-logs');
    const [status, ykc, authorize] = logs;
    expect(authorize).toMatchObject({
      request: `[2,"1","Authorize",{"idTag":"${shownCard}"}]`,
      answer: `[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag":"${shownCard}"}}]`,
    });
    expect(ykc?.request).toMatch(/^68[0-9A-F]+\*{16}\*{4}$/);
    expect(status?.request).toContain('"status":"Available"');
    const detail = await api.get<InteractionLogDetail>(`/interaction-logs/${ykc?.key}`, masked);
    expect(toldIn(detail.text)).toEqual([]);
    expect(detail.data.frames[0]).toMatchObject({
      text: ykc?.request,
      checksum: { verdict: 'right', found: null, expected: null },
    });
    expect(detail.data.frames[0]?.spans.find(({ path }) => path?.endsWith('physCardNo') === true)).toMatchObject({
      value: '0000********0A54',
    });
    const between = `from=${new Date(now - minuteMs).toISOString()}&to=${new Date(now).toISOString()}`;
    const talk = await api.get(`/conversations?stationId=${place.stationId}&${between}`, masked);
    expect(talk.text).toContain(shownCard);
    expect(toldIn(talk.text)).toEqual([]);
  });

  test('frames with masked numbers are searched by whole words only, so that hidden digits cannot be probed', async () => {
    const found = async (text: string, token?: string) =>
      (await list(`/interaction-logs?text=${encodeURIComponent(text)}`, token)).length;
    const part = place.cardNumber.slice(0, 9);
    expect([await found(part, whole.token), await found(part)]).toEqual([1, 0]);
    expect([await found('D14B', whole.token), await found('D14B')]).toEqual([1, 0]);
    expect([await found(`"idTag":"${part}`, whole.token), await found(`"idTag":"${part}`)]).toEqual([1, 0]);
    expect(await found(place.cardNumber.toLowerCase())).toBe(1);
    expect(await found('available')).toBe(1);
    expect(await found('"status":"Available"')).toBe(1);
    expect(await found('.*')).toBe(0);
  });

  test('a person with masked numbers is found by the whole number or its four visible digits only', async () => {
    const { phone, cardNumber } = place;
    const found = async (path: string, token?: string) => (await list(path, token)).length;
    const filters: [path: string, number: string][] = [
      ['/orders?phone=', phone],
      ['/customers?phone=', phone],
      ['/vehicles?vin=', vin],
      ['/recharges?phone=', phone],
      ['/recharges?cardNumber=', cardNumber],
      ['/feedbacks?phone=', phone],
      ['/cards?number=', cardNumber],
      ['/cards?number=', chip],
      ['/users?phone=', staffPhone],
      ['/users?text=', staffPhone],
      ['/users?userName=', staffPhone],
      ['/sign-ins?name=', staffPhone],
    ];
    for (const [path, number] of filters) {
      const parts = [number.slice(0, -1), number.slice(1), number.slice(4, 9), number.slice(-5), number.slice(-3)];
      const counts = [await found(path + number, whole.token), await found(path + number)];
      expect([path, ...counts, await found(path + number.slice(-4))]).toEqual([path, counts[0], counts[0], counts[0]]);
      expect(counts[0]).toBeGreaterThan(0);
      for (const part of parts) expect([path, part, await found(path + part)]).toEqual([path, part, 0]);
      expect(await found(path + number.slice(1), whole.token)).toBeGreaterThan(0);
    }
    expect(await found('/users?userName=cler')).toBe(1);
  });

  test('the top-bar search masks its results by the same rule', async () => {
    type Found = { kinds: { kind: string; items: { number: string; title: string }[] }[] };
    const search = async (text: string, token = masked.token) => {
      const { data } = await api.get<Found>(`/search?text=${text}`, { token });
      return data.kinds.flatMap(({ kind, items }) => items.map(({ number, title }) => [kind, number, title]));
    };
    expect(await search(place.phone)).toEqual([['customer', shownPhone, shownPhone]]);
    expect(await search(place.phone.slice(-4))).toContainEqual(['customer', shownPhone, shownPhone]);
    expect(await search(place.phone.slice(0, 9))).toEqual([]);
    expect(await search(place.phone.slice(0, 9), whole.token)).toEqual([['customer', place.phone, place.phone]]);
    expect(await search(chip)).toEqual([['card', shownCard, '0000********0A54']]);
    expect(await search('D14B0')).toEqual([]);
    expect(await search(staffPhone)).toEqual([['user', maskedStaff, maskedStaff]]);
    expect(await search(staffPhone.slice(0, 10))).toEqual([]);
  });

  test('the answer to a retry is masked, and a mask cannot be saved', async () => {
    const key = 'repeated-recharge';
    const body = { cardId: place.cardId, amountFen: 100 };
    const first = await api.post<Recharge>('/recharges', body, { ...masked, key });
    const again = await api.post<Recharge>('/recharges', body, { ...masked, key });
    expect([first.data.cardNumber, again.data]).toEqual([shownCard, first.data]);
    const byPerson = await api.post<Recharge>('/recharges', { customerId: place.customerId, amountFen: 100 }, masked);
    expect(byPerson.data.customerPhone).toBe(shownPhone);
    const both = await api.post('/recharges', { ...body, customerId: place.customerId }, masked);
    expect(both.envelope.message.fields).toMatchObject([{ path: 'customerId', code: 'only_one' }]);

    const wang = (await list<User>('/users')).find(({ realName }) => realName === 'Wang');
    const change = (form: object) => api.ask<User>('PUT', `/users/${wang?.id}`, { ...masked, body: form });
    const refused = await change({ realName: 'Wang', phone: wang?.phone });
    expect(refused.envelope.message.fields).toMatchObject([{ path: 'phone', code: 'phone_digits' }]);
    expect((await change({ realName: 'Wang Wu' })).data.phone).toBe(maskedStaff);
    expect((await api.get<User>(`/users/${wang?.id}`)).data).toMatchObject({ realName: 'Wang Wu', phone: staffPhone });
    await change({ realName: 'Wang' });
    for (const form of [{ phone: shownPhone, nickname: 'Li' }]) {
      expect((await api.post('/customers', form, masked)).envelope.message.fields).toMatchObject([{ path: 'phone' }]);
    }
    expect((await api.post('/cards', { number: shownCard }, masked)).status).toBe(422);
  });

  test('background exports are masked, and full ones are lost with the right to them', async () => {
    const jobs = await startJobs(api.database.url, api.context);
    onTestFinished(() => jobs.stop());
    const { id, token } = await api.addUser({ name: 'leaver', permissions: everything });
    const started = await api.post<Task>('/tasks/exports', { list: 'listCustomers', query: {} }, { token });
    await expect
      .poll(async () => (await api.get<Task>(`/tasks/${started.data.id}`, { token })).data.state, { timeout: 30_000 })
      .toBe('done');
    const file = () => api.get(`/tasks/${started.data.id}/file`, { token });
    expect(JSON.stringify(sheetRows((await file()).bytes))).toContain(place.phone);
    await api.database.pool.query(
      `update positions set menu_codes = array_remove(menu_codes, 'personal.reveal')
        where id = (select position_id from users where id = $1)`,
      [id],
    );
    api.clock.now = instant(now + minuteMs);
    expect((await file()).status).toBe(403);
    const later = await api.post<Task>('/tasks/exports', { list: 'listCustomers', query: {} }, { token });
    await expect
      .poll(async () => (await api.get<Task>(`/tasks/${later.data.id}`, { token })).data.state, { timeout: 30_000 })
      .toBe('done');
    const rows = JSON.stringify(sheetRows((await api.get(`/tasks/${later.data.id}/file`, { token })).bytes));
    expect(rows).toContain(shownPhone);
    expect(toldIn(rows)).toEqual([]);
    api.clock.now = now;
  });
});

test('callers with the right see full numbers, and registered persons see their own', async () => {
  expect(await list<Order>('/orders', whole.token)).toMatchObject([
    { phone: place.phone, cardNumber: place.cardNumber },
  ]);
  const self = await api.addUser({ name: 'owner', permissions: ['order.read', 'card.read'], scope: 'self' });
  await api.database.db.updateTable('users').set({ customer_id: place.customerId }).where('id', '=', self.id).execute();
  api.clock.now = instant(now + minuteMs);
  expect(await list<Order>('/orders', self.token)).toMatchObject([{ phone: place.phone }]);
  expect(await list<Card>('/cards', self.token)).toMatchObject([{ number: place.cardNumber, physicalNumber: chip }]);
  api.clock.now = now;
});
