import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api, Order } from './api.ts';
import { type LibraryStation, libraryStation, tellFree } from './library-station.ts';
import { type Product, startProduct } from './product.ts';
import { dayTariff, morning } from './two-hour-charge.ts';
import { until } from './until.ts';

let database: Database;
let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  database = await freshDatabase();
  product = await startProduct(database.url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Port = { station: LibraryStation; connectorId: number; stationId: number };

/** A booted station with one free port. */
async function freePort(number: string, ruleId = tariffId): Promise<Port> {
  const { id: stationId, password } = await api.createStation({ number, siteId, tariffId: ruleId });
  const station = await libraryStation(product.ocppUrl, { number, password });
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L120' });
  await tellFree(station);
  const [port] = await api.connectorsOf(stationId);
  expect(port?.state).toBe('free');
  return { station, stationId, connectorId: port?.id ?? 0 };
}

const startMs = morning(1);
const at = (minute: number) => new Date(startMs + minute * 60_000).toISOString();

async function begin({ station }: Port, idTag: string): Promise<number> {
  const started = await station.call('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1_000,
    timestamp: at(0),
  });
  expect(started).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  return started.transactionId as number;
}

describe.concurrent('a charge started from the back office', () => {
  test("a charge started from the back office on a card's money is agreed to, charges and is stopped; the hold becomes the bill", async () => {
    const cardNumber = '1000000000000001';
    const cardId = await api.createCard(cardNumber, 8_000);
    const port = await freePort('REMOTE-1');
    const { station, connectorId } = port;
    const placed = await api.post<Order>('/orders', { connectorId, cardNumber }, { idempotencyKey: 'remote-1' });
    expect(placed).toMatchObject({ state: 'placed', stationNumber: 'REMOTE-1', connectorNumber: 1 });
    expect(station.asked).toEqual([
      { action: 'RemoteStartTransaction', payload: { connectorId: 1, idTag: cardNumber } },
    ]);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 3_000, heldFen: 5_000 });
    const again = await api.post<Order>('/orders', { connectorId, cardNumber }, { idempotencyKey: 'remote-1' });
    expect(again.id).toBe(placed.id);
    const second = await api.ask('POST', '/orders', { connectorId, cardNumber });
    expect(second).toMatchObject({ httpStatus: 409, message: { error: 'connector.busy' } });

    expect(await station.call('Authorize', { idTag: cardNumber })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    const transactionId = await begin(port, cardNumber);
    expect(await api.order(placed.id)).toMatchObject({ state: 'charging', heldFen: 5_000 });
    expect(await api.post(`/orders/${placed.id}/stops`)).toEqual({ agreed: true });
    expect(station.asked.at(-1)).toEqual({ action: 'RemoteStopTransaction', payload: { transactionId } });
    await station.call('StopTransaction', { transactionId, meterStop: 21_000, timestamp: at(20), reason: 'Remote' });
    // 20 kWh in the valley: 6.2468 + 6.0250 yuan.
    expect(await api.order(placed.id)).toMatchObject({
      state: 'completed',
      stopReason: 'remote',
      electricityFeeFen: 625,
      serviceFeeFen: 603,
      amountFen: 1_228,
      paymentState: 'paid',
    });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 6_772, heldFen: 0 });
    expect(await api.ordersOf({ stationNumber: 'REMOTE-1' })).toHaveLength(1);
    const late = await api.ask('POST', `/orders/${placed.id}/stops`, {});
    expect(late).toMatchObject({ httpStatus: 409, message: { error: 'order.already_ended' } });
    await station.close();
  });

  test("a charge started from the back office on a registered user's money uses an id tag for this order alone", async () => {
    const customerId = await api.createCustomer('13800000002', 3_000);
    const port = await freePort('REMOTE-2');
    const placed = await api.post<Order>('/orders', { connectorId: port.connectorId, customerPhone: '13800000002' });
    expect(await api.balanceOf({ customerId })).toMatchObject({ balanceFen: 0, heldFen: 3_000 });
    const token = String(port.station.asked[0]?.payload.idTag);
    expect(token).toMatch(/^\S{1,20}$/);
    const transactionId = await begin(port, token);
    const stop = { transactionId, meterStop: 11_000, timestamp: at(10), reason: 'Local' };
    await port.station.call('StopTransaction', stop);
    // 10 kWh: 3.1234 + 3.0125 yuan.
    expect(await api.order(placed.id)).toMatchObject({ state: 'completed', amountFen: 613, paymentState: 'paid' });
    expect(await api.balanceOf({ customerId })).toMatchObject({ balanceFen: 2_387, heldFen: 0 });
    await port.station.close();
  });

  test.each([
    ['fixed', '5', 400],
    ['prepaid', '6', 60],
  ] as const)('a rider’s choice is what is held, and %s it is billed as it says', async (kind, digit, amountFen) => {
    const cardNumber = `100000000000001${digit}`;
    const cardId = await api.createCard(cardNumber, 1_000);
    const choices = [{ amountFen: 200, hours: 2 }, { amountFen: 400, hours: 4 }, { amountFen: 9_900 }];
    const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 30 }];
    const rule = await api.post<{ id: number }>('/tariffs', {
      kind: 'hour',
      name: `Choices ${kind}`,
      tiers,
      prepayment: { kind, choices },
    });
    const port = await freePort(`CHOICE-${kind}`, rule.id);
    const { connectorId } = port;
    const offered = await api.get<unknown>(`/connectors/${connectorId}/start-choices`);
    expect(offered).toMatchObject({ card: { kind, choices }, customer: { kind, choices } });
    const start = (choice?: object) => ({ connectorId, cardNumber, ...(choice && { choice: { kind, ...choice } }) });
    const none = await api.ask('POST', '/orders', start());
    expect(none).toMatchObject({ httpStatus: 422, message: { fields: [{ path: 'choice', code: 'required' }] } });
    for (const other of [
      { ...choices[1], amountFen: 300 },
      { ...choices[1], kind: kind === 'fixed' ? 'prepaid' : 'fixed' },
    ]) {
      const changed = await api.ask('POST', '/orders', start(other));
      expect(changed).toMatchObject({ httpStatus: 409, message: { error: 'order.choice_changed' } });
    }
    const dear = await api.ask('POST', '/orders', start(choices[2]));
    expect(dear).toMatchObject({ httpStatus: 409, message: { error: 'balance.insufficient' } });
    const placed = await api.post<Order>('/orders', start(choices[1]));
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 600, heldFen: 400 });
    const transactionId = await begin(port, cardNumber);
    await port.station.call('StopTransaction', { transactionId, meterStop: 1_300, timestamp: at(90), reason: 'Local' });
    expect(await api.order(placed.id)).toMatchObject({ state: 'completed', amountFen, paymentState: 'paid' });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 1_000 - amountFen, heldFen: 0 });
    await port.station.close();
  });

  test('a charge started from the back office that the station refuses is cancelled, and the hold is released', async () => {
    const cardNumber = '1000000000000003';
    const cardId = await api.createCard(cardNumber, 8_000);
    const { station, connectorId } = await freePort('REMOTE-3');
    station.answerBy(() => ({ status: 'Rejected' }));
    const refused = await api.ask('POST', '/orders', { connectorId, cardNumber }, { language: 'zh-CN' });
    expect(refused).toMatchObject({ httpStatus: 409, message: { error: 'station.refused' } });
    expect(await api.ordersOf({ cardNumber })).toMatchObject([{ state: 'cancelled', amountFen: 0 }]);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 8_000, heldFen: 0 });
    await station.close();
  });

  test('a charge started from the back office that never begins can be cancelled, or is cancelled after five minutes', async () => {
    const cardNumber = '1000000000000004';
    const cardId = await api.createCard(cardNumber, 8_000);
    const { station, connectorId } = await freePort('REMOTE-4');
    const first = await api.post<Order>('/orders', { connectorId, cardNumber });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 3_000, heldFen: 5_000 });
    expect(await api.post(`/orders/${first.id}/cancellations`)).toMatchObject({ state: 'cancelled' });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 8_000, heldFen: 0 });

    const second = await api.post<Order>('/orders', { connectorId, cardNumber });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 3_000, heldFen: 5_000 });
    await database.pool.query(`update orders set placed_at = placed_at - interval '6 minutes' where id = $1`, [
      second.id,
    ]);
    const isCancelled = async () => (await api.order(second.id)).state === 'cancelled';
    await until('the order is cancelled by itself', isCancelled, 40_000);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 8_000, heldFen: 0 });
    await station.close();
  });

  test('a charge started from the back office that the station does not answer is cancelled after half a minute', async () => {
    const cardNumber = '1000000000000005';
    const cardId = await api.createCard(cardNumber, 8_000);
    const { station, connectorId } = await freePort('REMOTE-5');
    const silence = Promise.withResolvers<Record<string, unknown>>();
    station.answerBy(() => silence.promise);
    const unanswered = await api.ask('POST', '/orders', { connectorId, cardNumber });
    expect(unanswered).toMatchObject({ httpStatus: 504, message: { error: 'station.no_answer' } });
    expect(await api.ordersOf({ cardNumber })).toMatchObject([{ state: 'cancelled' }]);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 8_000, heldFen: 0 });
    silence.resolve({ status: 'Accepted' });
    await station.close();
  });

  test('a charge started from the back office is refused without money, card, port or station', async () => {
    const cardNumber = '1000000000000006';
    await api.createCard(cardNumber, 50);
    const { station, connectorId } = await freePort('REMOTE-6');
    const start = async (body: Record<string, unknown>) => (await api.ask('POST', '/orders', body)).message.error;
    expect(await start({ connectorId, cardNumber })).toBe('balance.insufficient');
    expect(await start({ connectorId, cardNumber: 'FFFFFFFFFFFFFFFF' })).toBe('card.not_usable');
    expect(await start({ connectorId })).toBe('request.invalid');
    expect(await start({ connectorId: 999_999, cardNumber })).toBe('request.invalid');
    await station.call('StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' });
    expect(await start({ connectorId, cardNumber })).toBe('connector.fault');
    await station.close();
    await until('the station is offline', async () => (await start({ connectorId, cardNumber })) === 'station.offline');
    expect(await api.ordersOf({ cardNumber })).toEqual([]);
  });

  test('a charge is stopped when the balance runs out, and is paid to the last fen', async () => {
    const cardNumber = '1000000000000007';
    const cardId = await api.createCard(cardNumber, 2_000);
    const port = await freePort('REMOTE-7');
    const { station, connectorId } = port;
    const placed = await api.post<Order>('/orders', { connectorId, cardNumber });
    const transactionId = await begin(port, cardNumber);
    const read = (minute: number, energyWh: number) =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [
          {
            timestamp: at(minute),
            sampledValue: [
              { value: String(1_000 + energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
              { value: '60000', measurand: 'Power.Active.Import', unit: 'W' },
            ],
          },
        ],
      });
    const askedToStop = () => station.asked.some(({ action }) => action === 'RemoteStopTransaction');
    // 20 yuan last for 32.6 kWh in the valley; half of them for 16.
    await read(15, 15_000);
    await read(29, 29_000);
    expect(askedToStop()).toBe(false);
    await read(29.9, 32_500);
    await until('the station is asked to stop', askedToStop);
    expect(station.asked.at(-1)).toEqual({ action: 'RemoteStopTransaction', payload: { transactionId } });
    await station.call('StopTransaction', { transactionId, meterStop: 33_590, timestamp: at(29.95), reason: 'Remote' });
    // 32.590 kWh: 10.1792 + 9.8177 yuan.
    expect(await api.order(placed.id)).toMatchObject({
      state: 'completed',
      stopReason: 'balance_exhausted',
      electricityFeeFen: 1_018,
      serviceFeeFen: 982,
      amountFen: 2_000,
      paymentState: 'paid',
    });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 0, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await station.close();
  });
});
