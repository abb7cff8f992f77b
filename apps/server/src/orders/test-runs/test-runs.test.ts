import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { Order } from '@voltdeck/contract/orders';
import type { TestRun } from '@voltdeck/contract/port-test-runs';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../../bus/test-station-holder.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, type Place } from '../../http/test-records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

/** A connected station with free ports that answers every command alike. */
async function connectedPlace(name: string, outcome: CommandOutcome, agentId: Place['agentId'] = null) {
  const place = await makePlace(api.database, agentId, name);
  const { db } = api.database;
  await db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
  await db.updateTable('connectors').set({ state: 'free' }).where('station_id', '=', place.stationId).execute();
  const asked: StationCommand[] = [];
  ends.push(
    playHolder(api.context.bus, place.stationNumber, async (command) => {
      asked.push(command);
      return outcome;
    }),
  );
  return { place, asked };
}

type Options = { key?: string; token?: string; language?: 'en' | 'zh-CN' };
const testPort = ({ connectorId }: Place, body: object = {}, options: Options = {}) =>
  api.post<TestRun>(`/connectors/${connectorId}/test-runs`, body, { language: 'en', ...options });
const latest = ({ connectorId }: Place) => api.get<{ run: TestRun | null }>(`/connectors/${connectorId}/test-run`);

describe('starting a test run', () => {
  test('a test run asks the station without a card and places an order that nobody pays, of 5 minutes unless told otherwise', async () => {
    const { place, asked } = await connectedPlace('start', { kind: 'accepted' });
    expect((await latest(place)).data).toEqual({ run: null });
    const { data } = await testPort(place);
    expect(data).toMatchObject({ stage: 'waiting', minutes: 5, userName: 'admin', energyWh: 0, endsAt: null });
    expect(data.answer).toEqual({ kind: 'accepted', reason: null, words: null });
    expect(data.answerMs).toBeGreaterThanOrEqual(0);
    expect(asked).toEqual([
      { kind: 'start-charge', connectorNumber: 1, cardNumber: expect.stringMatching(/^VDTEST\d{12}$/) },
    ]);
    const order = (await api.get<Order>(`/orders/${data.orderId}`)).data;
    expect(order).toMatchObject({
      state: 'placed',
      startMode: 'test',
      paymentType: 'none',
      customerId: null,
      cardId: null,
    });
    expect(order).toMatchObject({ amountFen: 0, tariff: { id: null, kind: 'energy' }, heldFen: 0, postings: [] });
    expect((await latest(place)).data.run).toEqual(data);
    const found = await api.get<{ items: Order[] }>(
      `/orders?startMode=test&paymentType=none&stationId=${place.stationId}`,
    );
    expect(found.data.items.map(({ id }) => id)).toEqual([data.orderId]);
  });

  test('a station that prices by itself gets a name and a balance that ends with the test', async () => {
    const { place, asked } = await connectedPlace('named', { kind: 'scheduled' });
    await api.database.db
      .updateTable('stations')
      .set({ protocol: 'ykc', number: '32010600000991' })
      .where('id', '=', place.stationId)
      .execute();
    ends.push(
      playHolder(api.context.bus, '32010600000991', async (command) => {
        asked.push(command);
        return { kind: 'scheduled' };
      }),
    );
    const { data } = await testPort(place, { minutes: 30 });
    expect(data).toMatchObject({ stage: 'waiting', answer: { kind: 'scheduled' } });
    expect(asked).toEqual([
      {
        kind: 'start-charge',
        connectorNumber: 1,
        cardNumber: expect.stringMatching(/^\d+$/),
        transaction: expect.stringMatching(/^32010600000991/),
        availableFen: expect.any(Number),
      },
    ]);
  });

  test('the same key asks the station once, also after a process died before answering', async () => {
    const { place, asked } = await connectedPlace('once', { kind: 'accepted' });
    const first = await testPort(place, { minutes: 1 }, { key: 'test-once' });
    expect((await testPort(place, { minutes: 1 }, { key: 'test-once' })).envelope).toEqual(first.envelope);
    await api.database.db
      .updateTable('idempotency_keys')
      .set({ status: null, answer: JSON.stringify({ recordId: first.data.orderId }) })
      .execute();
    const retried = await testPort(place, { minutes: 1 }, { key: 'test-once' });
    expect(retried.data.orderId).toBe(first.data.orderId);
    expect(asked).toHaveLength(1);
    const again = await testPort(place, { minutes: 1 }, { key: 'test-other' });
    expect(again.envelope.message).toMatchObject({ status: 409, error: 'connector.busy' });
  });

  test.each<[string, CommandOutcome, TestRun['answer']]>([
    [
      'its reason',
      { kind: 'rejected', reason: 'not_plugged_in' },
      { kind: 'rejected', reason: 'not_plugged_in', words: null },
    ],
    [
      'its own words',
      { kind: 'station-error', code: 'InternalError', description: 'relay stuck' },
      { kind: 'station-error', reason: null, words: 'InternalError: relay stuck' },
    ],
    [
      'words that no database text holds',
      { kind: 'station-error', code: 'GenericError', description: 'caf\0e\ud800' },
      { kind: 'station-error', reason: null, words: 'GenericError: caf\u2400e\ufffd' },
    ],
    ['its silence', { kind: 'timed-out' }, { kind: 'timed-out', reason: null, words: null }],
  ])(
    'a station that does not start is a result with %s, and leaves the port free for another test',
    async (name, outcome, answer) => {
      const { place } = await connectedPlace(`refuses ${name}`, outcome);
      const { data } = await testPort(place);
      expect(data).toMatchObject({ stage: 'refused', orderState: 'cancelled', answer });
      expect((await testPort(place)).data).toMatchObject({ stage: 'refused' });
    },
  );

  test.each<[string, string, 'stations' | 'connectors' | 'sites', string]>([
    ['an offline station', 'station.offline', 'stations', 'online = false'],
    ['a disabled station', 'station.disabled', 'stations', 'enabled = false'],
    ['a closed site', 'site.closed', 'sites', "state = 'closed_for_business'"],
    ['a closed port', 'connector.closed', 'connectors', 'open = false'],
    ['an occupied port', 'connector.busy', 'connectors', "state = 'charging'"],
    ['a port with a fault', 'connector.fault', 'connectors', "state = 'fault'"],
  ])('%s is refused with %s in both languages and writes nothing', async (name, error, table, change) => {
    const { place, asked } = await connectedPlace(name, { kind: 'accepted' });
    const ids = { stations: place.stationId, connectors: place.connectorId, sites: place.siteId };
    await api.database.pool.query(`update ${table} set ${change} where id = $1`, [ids[table]]);
    const english = (await testPort(place)).envelope.message;
    const chinese = (await testPort(place, {}, { language: 'zh-CN' })).envelope.message;
    expect(english).toMatchObject({ status: 409, error });
    expect(chinese).toMatchObject({ status: 409, error });
    expect(chinese.message).not.toBe(english.message);
    expect(asked).toEqual([]);
    expect((await latest(place)).data).toEqual({ run: null });
  });

  test.each([0, 31, 2.5, '5', null])('%j minutes are refused at the field', async (minutes) => {
    const { place, asked } = await connectedPlace(`minutes ${minutes}`, { kind: 'accepted' });
    const { message } = (await testPort(place, { minutes })).envelope;
    expect(message).toMatchObject({ status: 422, fields: [{ path: 'minutes' }] });
    expect(asked).toEqual([]);
  });

  test('a test run needs the right to test, and the port has to be the caller’s', async () => {
    const mine = await api.addAgent('Installers');
    const { place: here } = await connectedPlace('here', { kind: 'accepted' }, mine);
    const { place: there } = await connectedPlace('there', { kind: 'accepted' }, await api.addAgent('Others'));
    const scope = { scope: 'agent', agentId: mine } as const;
    const installer = await api.addUser({ name: 'tester', permissions: ['connector.test'], ...scope });
    const reader = await api.addUser({ name: 'reader', permissions: ['connector.read', 'order.start'], ...scope });
    expect((await testPort(here, {}, { token: reader.token })).envelope.message).toMatchObject({ status: 403 });
    expect((await testPort(there, {}, { token: installer.token })).envelope.message).toMatchObject({ status: 404 });
    const { data } = await testPort(here, {}, { token: installer.token });
    expect(data).toMatchObject({ stage: 'waiting', userName: 'tester' });
    const stop = (id: number) => api.post(`/test-runs/${id}/stops`, undefined, { token: installer.token });
    const others = (await testPort(there)).data;
    expect((await stop(others.orderId)).envelope.message).toMatchObject({ status: 404 });
    expect((await stop(data.orderId)).data).toMatchObject({ stage: 'cancelled', orderState: 'cancelled' });
    expect((await stop(data.orderId)).envelope.message).toMatchObject({ status: 409, error: 'order.already_ended' });
  });
});

test('the phone that a starter signs in with is masked for a caller without the right to full numbers', async () => {
  const { place } = await connectedPlace('masked', { kind: 'accepted' });
  const { token } = await api.addUser({ name: '13912345678', permissions: ['connector.test', 'personal.reveal'] });
  expect((await testPort(place, {}, { token })).data.userName).toBe('13912345678');
  const other = await api.addUser({ name: 'other tester', permissions: ['connector.test'] });
  const seen = await api.get<{ run: TestRun }>(`/connectors/${place.connectorId}/test-run`, { token: other.token });
  expect(seen.data.run.userName).toBe('139****5678');
});

test('the database refuses a test run that costs anything or has a payer, and another charge without one', async () => {
  const place = await makePlace(api.database, null, 'no sale');
  const at = instant(Date.now() - minuteMs);
  const make = (order: Parameters<typeof makeOrder>[3]) => makeOrder(api.database, place, at, order);
  await make(asTestRun);
  const refused = 'orders_test_costs_nothing';
  await expect(make({ ...asTestRun, amount_fen: fen(1), service_fee_fen: fen(1) })).rejects.toThrow(refused);
  await expect(make({ ...asTestRun, card_id: place.cardId })).rejects.toThrow(refused);
  await expect(make({ ...asTestRun, customer_id: place.customerId })).rejects.toThrow(refused);
  await expect(make({ payment_type: 'none' })).rejects.toThrow(refused);
});
