import type { TestRun } from '@voltdeck/contract/port-test-runs';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { libraryStation, tellFree } from './library-station.ts';
import { startPile } from './pile.ts';
import { u8 } from './pile-bytes.ts';
import { charging, idle, recordOf } from './pile-charge.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { dayTariff } from './two-hour-charge.ts';
import { until } from './until.ts';

const minuteMs = 60_000;
/** Beyond the minute of the test runs, for a busy machine that starts a killed server. */
const stopLimitMs = 200_000;

let product: MortalProduct;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startMortalProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Tested = { connectorId: number; run: () => Promise<TestRun> };

/** The station's only port, once it is as a test run needs it. */
async function readyPort(stationId: number, state: 'free' | 'plugged_in'): Promise<Tested> {
  const port = await until('the port is ready', async () => {
    const [only] = await api.connectorsOf(stationId);
    return only?.state === state ? only : null;
  });
  return {
    connectorId: port.id,
    run: async () => {
      const { run } = await api.get<{ run: TestRun | null }>(`/connectors/${port.id}/test-run`);
      if (run === null) throw new Error('there is no test run');
      return run;
    },
  };
}

const startRun = ({ connectorId }: Tested) =>
  api.post<TestRun>(`/connectors/${connectorId}/test-runs`, { minutes: 1 }, { idempotencyKey: `test-${connectorId}` });

async function testOcpp(number: string) {
  const { id, password } = await api.createStation({ number, siteId, tariffId });
  const station = await libraryStation(product.ocppUrl, { number, password });
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L120' });
  await tellFree(station);
  const port = await readyPort(id, 'free');
  const started = await startRun(port);
  expect(started).toMatchObject({ stage: 'waiting', minutes: 1, answer: { kind: 'accepted' } });
  expect((await startRun(port)).orderId).toBe(started.orderId);
  expect(station.asked).toHaveLength(1);
  const idTag = String(station.asked[0]?.payload.idTag);
  expect(await station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
  const from = Date.now();
  const now = () => new Date().toISOString();
  const begun = await station.call('StartTransaction', { connectorId: 1, idTag, meterStart: 5_000, timestamp: now() });
  const { transactionId } = begun;
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: now(), sampledValue: [{ value: '5040' }] }],
  });
  return {
    port,
    async comeBack() {
      await until('the station connects again', async () => {
        await station.connect();
        return true;
      });
      await station.call('Heartbeat', {});
    },
    async isStopped() {
      const stop = () => station.asked.find(({ action }) => action === 'RemoteStopTransaction');
      const asked = await until('the OCPP station is asked to stop', () => stop() ?? null, stopLimitMs);
      expect(asked.payload).toEqual({ transactionId });
      expect(Date.now() - from).toBeGreaterThan(minuteMs - 1_000);
      const end = { transactionId, meterStop: 5_900, timestamp: now(), reason: 'Remote', idTag };
      await station.call('StopTransaction', end);
      await station.call('StopTransaction', end);
      await station.close();
    },
  };
}

async function testPile(number: string) {
  const { id } = await api.createStation({ number, siteId, tariffId, protocol: 'ykc' });
  const pile = startPile({ port: product.ykcPort, number });
  await pile.ready();
  // 0x33 repeats trade number, pile and gun of 0x34, 0x35 pile and gun of 0x36; then yes.
  pile.answerBy(0x34, (body) => ({ type: 0x33, body: Buffer.concat([body.subarray(0, 24), u8(1), u8(0)]) }));
  pile.answerBy(0x36, (body) => ({ type: 0x35, body: Buffer.concat([body.subarray(0, 8), u8(1), u8(0)]) }));
  pile.send(0x13, idle(pile, { plugged: true }));
  const port = await readyPort(id, 'plugged_in');
  const started = await startRun(port);
  expect(started).toMatchObject({ stage: 'waiting', answer: { kind: 'accepted' } });
  const startMs = Date.now();
  const tradeNo = (await pile.hears(0x34)).body.subarray(0, 16).toString('hex');
  pile.send(0x13, charging(pile, tradeNo, 0, 0));
  await until('the pile charges', async () => (await port.run()).stage === 'charging');
  return {
    port,
    comeBack: () => pile.ready(),
    async isStopped() {
      await pile.hears(0x36);
      const endMs = Date.now();
      expect(endMs - startMs).toBeGreaterThan(minuteMs - 1_000);
      // 0.9 kWh in the valley by the pile's own account, at its own price.
      const none = { energy: 0, amount: 0 };
      const record = recordOf(pile, {
        tradeNo,
        startMs,
        endMs,
        stopReason: 0x40,
        peak: { price: 154_504, ...none },
        flat: { price: 108_750, ...none },
        valley: { price: 61_359, energy: 9_000, amount: 5_522 },
        meterEnd: 12_345_678_901 + 9_000,
        energy: 9_000,
        amount: 5_522,
      });
      await pile.ask(0x3b, record);
      await pile.ask(0x3b, record);
      await pile.close();
    },
  };
}

test('a test run ends after its minute although the server is killed meanwhile, and costs nothing, in both protocols', async () => {
  const tests = [await testOcpp('TEST-KILLED'), await testPile('32010600000171')];
  await product.kill9();
  await product.startAgain();
  api = await product.signIn();
  for (const each of tests) await each.comeBack();
  await Promise.all(tests.map((each) => each.isStopped()));
  for (const { port } of tests) {
    const run = await port.run();
    expect(run).toMatchObject({ stage: 'passed', energyWh: 900, stopReason: 'time_limit', flags: [] });
    expect(run.stop).toMatchObject({ because: 'time_limit' });
    const order = await api.order(run.orderId);
    expect(order).toMatchObject({
      state: 'completed',
      amountFen: 0,
      electricityFeeFen: 0,
      serviceFeeFen: 0,
      paidFen: 0,
    });
    expect(order).toMatchObject({
      startMode: 'test',
      paymentType: 'none',
      customerId: null,
      cardId: null,
      postings: [],
    });
    expect(await api.ordersOf({ stationNumber: order.stationNumber })).toHaveLength(1);
  }
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
}, 600_000);
