import { dayMs, hourMs, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import type { MessageOf, PlatformMessage } from '@voltdeck/ykc/messages/all';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { steadyVehicle } from '../charging-curve.ts';
import { type ScriptedClock, scriptedClock } from '../clock.ts';
import type { StationNews } from '../station-news.ts';
import { PileLink } from './pile-link.ts';
import type { PileOptions } from './pile-options.ts';
import { openPlatform, type PlatformAnswering, type TestPlatform, testModel } from './test-platform.ts';
import { VirtualPile } from './virtual-pile.ts';

const noon = Date.parse('2026-11-21T12:00:00+08:00');
const number = '44030601000001';
const card = '00000000D1C0FFEE';

let clock: ScriptedClock;
let platform: TestPlatform;
let answering: PlatformAnswering;
let stations: VirtualPile[];
let news: StationNews[];

beforeEach(async () => {
  clock = scriptedClock(noon);
  answering = () => undefined;
  stations = [];
  news = [];
  platform = await openPlatform((message) => answering(message));
});

afterEach(async () => {
  for (const station of stations) await station.stop();
  expect(clock.pendingTimers()).toBe(0);
  await platform.close();
});

function makeStation(overrides: Partial<PileOptions> = {}): VirtualPile {
  const station = new VirtualPile({
    url: platform.url,
    number,
    connectors: 2,
    kind: 'dc',
    maxPowerKw: 120,
    clock,
    registersWh: [100_000, 200_000],
    ...overrides,
  });
  stations.push(station);
  station.on((each) => news.push(each));
  return station;
}

async function powerUp(overrides: Partial<PileOptions> = {}): Promise<VirtualPile> {
  const station = makeStation(overrides);
  station.start();
  expect(await clock.playUntil(() => station.isOnline, minuteMs)).toBe(true);
  return station;
}

async function startCharge(station: VirtualPile, powerW = 60_000, gun = 1): Promise<string> {
  station.plugIn(gun, steadyVehicle(powerW));
  expect(await station.swipeCard(gun, card)).toBe('started');
  return station.connector(gun).charge?.tradeNo ?? '';
}

const wait = (condition: () => unknown) =>
  vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout: 30_000, interval: 5 });
/** Waits until earlier messages have arrived: heartbeats take the same way and are answered. */
const arrived = () => clock.play(pileHeartbeatMs);
const pileHeartbeatMs = 10 * secondMs;
const record = () => platform.of('transaction-record').at(-1);
const remoteStart = (overrides: Partial<MessageOf<'remote-start'>> = {}): PlatformMessage => ({
  kind: 'remote-start',
  tradeNo: platform.nextTradeNo(number, 1),
  pileNo: number,
  gunNo: 1,
  logicCardNo: '8800000000000001',
  physCardNo: card,
  balance: 50_000,
  ...overrides,
});

describe('signing in', () => {
  test('signing in follows the order of section 1: login, billing model, heartbeats of every gun', async () => {
    await powerUp();
    await clock.play(25 * secondMs);
    const kinds = platform.kinds().filter((kind) => kind !== 'realtime-data');
    expect(kinds).toEqual([
      'login',
      'billing-model-verify',
      'billing-model-request',
      ...['heartbeat', 'heartbeat', 'heartbeat', 'heartbeat'],
    ]);
    expect(platform.of('login')[0]).toMatchObject({ pileNo: number, pileType: 0, gunCount: 2, protoVersion: 16 });
    expect(platform.of('billing-model-verify')[0]).toMatchObject({ modelNo: '0000' });
    expect(platform.heard.map(({ sequence }) => sequence)).toEqual(platform.heard.map((_, index) => index));
    expect(platform.of('realtime-data').map(({ gunNo, state }) => [gunNo, state])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('signing in is retried with growing pauses after a refusal', async () => {
    let logins = 0;
    answering = (message) => {
      if (message.kind !== 'login') return undefined;
      logins += 1;
      return logins < 4 ? { kind: 'login-answer', pileNo: message.pileNo, result: 1 } : undefined;
    };
    await powerUp();
    const pauses = news.filter((each) => each.kind === 'boot-answered').map(({ at }) => at);
    expect(pauses).toHaveLength(4);
    const gaps = pauses.slice(1).map((at, index) => at - (pauses[index] ?? 0));
    expect(gaps[2]).toBeGreaterThan((gaps[0] ?? 0) * 1.5);
  });

  test('three heartbeats without an answer lose the link, and the station signs in again', async () => {
    const station = await powerUp({ answerTimeoutMs: 500, connectors: 1 });
    answering = (message) => (message.kind === 'heartbeat' ? null : undefined);
    expect(await clock.playUntil(() => platform.connections === 2, 2 * minuteMs)).toBe(true);
    expect(platform.of('heartbeat')).toHaveLength(3);
    answering = () => undefined;
    expect(await clock.playUntil(() => station.isOnline, minuteMs)).toBe(true);
    expect(platform.of('billing-model-verify').at(-1)).toMatchObject({ modelNo: '0007' });
    expect(platform.of('billing-model-request')).toHaveLength(1);
  });

  test('a station without a billing model does not charge', async () => {
    answering = (message) => (message.kind === 'billing-model-request' ? null : undefined);
    const station = makeStation({ answerTimeoutMs: 500 });
    station.start();
    await clock.playUntil(() => platform.of('billing-model-request').length > 2, 2 * minuteMs);
    station.plugIn(1, steadyVehicle(60_000));
    expect(await station.swipeCard(1, card)).toBe('refused');
    platform.send(remoteStart());
    await wait(() => platform.of('remote-start-reply').length === 1);
    expect(platform.of('remote-start-reply')[0]).toMatchObject({ result: 0, failReason: 3 });
    answering = () => undefined;
    expect(await clock.playUntil(() => station.isOnline, minuteMs)).toBe(true);
  });

  test('a clock request is answered with the time that was set', async () => {
    await powerUp();
    platform.send({ kind: 'clock-set', pileNo: number, time: instant(clock.now() + 700) });
    await wait(() => platform.of('clock-set-reply').length === 1);
    expect(platform.of('clock-set-reply')[0]?.time).toBe(clock.now() + 700);
    stations[0]?.setFaults({ clock: { kind: 'offset', offsetMs: -dayMs } });
    platform.send({ kind: 'clock-set', pileNo: number, time: instant(clock.now()) });
    await wait(() => platform.of('clock-set-reply').length === 2);
    expect(platform.of('clock-set-reply')[1]?.time).toBe(clock.now() - dayMs);
  });

  test('a new billing model is accepted while idle and refused during a charge', async () => {
    const station = await powerUp();
    const next: PlatformMessage = { kind: 'billing-model-set', pileNo: number, ...testModel, modelNo: '0008' };
    platform.send(next);
    await wait(() => platform.of('billing-model-set-reply').length === 1);
    expect(station.modelNo).toBe('0008');
    await startCharge(station);
    platform.send({ ...next, modelNo: '0009' });
    await wait(() => platform.of('billing-model-set-reply').length === 2);
    expect(platform.of('billing-model-set-reply').map(({ result }) => result)).toEqual([1, 0]);
    expect(station.modelNo).toBe('0008');
  });
});

describe('a charge', () => {
  test('a charge by card across a price change is billed by period, to the tenth of a watt-hour', async () => {
    clock = scriptedClock(noon + 30 * minuteMs);
    const station = await powerUp({ faults: { silent: true } });
    const tradeNo = await startCharge(station, 60_000);
    await clock.play(hourMs);
    expect(await station.swipeCard(1, card)).toBe('stopped');
    await clock.settle();
    expect(record()).toMatchObject({
      tradeNo,
      peakPrice: 120_000,
      peakEnergy: 300_000,
      peakAmount: 360_000,
      flatPrice: 80_000,
      flatEnergy: 300_000,
      flatAmount: 240_000,
      sharpEnergy: 0,
      valleyEnergy: 0,
      meterStart: 1_000_000,
      meterEnd: 1_600_000,
      totalEnergy: 600_000,
      totalAmount: 600_000,
      startTime: noon + 30 * minuteMs,
      endTime: noon + 90 * minuteMs,
      startFlag: 2,
      stopReason: 0x45,
      physCardNo: card,
    });
    expect(record()?.vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
    expect(station.isDelivered).toBe(true);
  });

  test('a charge of a DC station sends the messages of battery and charger, in order', async () => {
    const station = await powerUp({ connectors: 1 });
    const tradeNo = await startCharge(station);
    await clock.play(minuteMs);
    await station.swipeCard(1, card);
    await arrived();
    const from = platform.kinds().indexOf('charge-application');
    const kinds = platform
      .kinds()
      .slice(from)
      .filter((kind) => kind !== 'heartbeat');
    const sample = ['realtime-data', 'bms-demand', 'bms-info'];
    expect(kinds).toEqual([
      'charge-application',
      ...['realtime-data', 'bms-handshake', 'bms-parameter-config'],
      ...[sample, sample, sample, sample].flat(),
      ...['charger-abort', 'charging-end-statistics', 'transaction-record', 'realtime-data'],
    ]);
    const [, , ...live] = platform.of('realtime-data');
    expect(live.slice(0, 5).map(({ state, energy, amount }) => [state, energy, amount])).toEqual([
      [3, 0, 0],
      [3, 2_500, 3_000],
      [3, 5_000, 6_000],
      [3, 7_500, 9_000],
      [3, 10_000, 12_000],
    ]);
    expect(live.slice(0, 5).every((each) => each.tradeNo === tradeNo)).toBe(true);
    expect(platform.of('bms-handshake')[0]?.vin).toBe(record()?.vin);
  });

  test('a charge of an AC station sends nothing about a battery', async () => {
    const station = await powerUp({ kind: 'ac', maxPowerKw: 7, connectors: 1 });
    await startCharge(station, 7_000);
    await clock.play(minuteMs);
    await station.swipeCard(1, card);
    await arrived();
    expect(platform.kinds().filter((kind) => kind.startsWith('bms') || kind.startsWith('charg'))).toEqual([
      'charge-application',
    ]);
    expect(platform.of('realtime-data').every(({ soc, remainMinutes }) => soc === 0 && remainMinutes === 0)).toBe(true);
    expect(platform.of('login')[0]?.pileType).toBe(1);
  });

  test('a charge is refused with a message, and a card that does not match the charge stops nothing', async () => {
    answering = (message) =>
      message.kind === 'charge-application'
        ? {
            kind: 'charge-application-answer',
            tradeNo: '0'.repeat(32),
            pileNo: message.pileNo,
            gunNo: message.gunNo,
            logicCardNo: '0'.repeat(16),
            balance: 0,
            authOk: 0,
            failReason: 3,
          }
        : undefined;
    const station = await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    expect(await station.swipeCard(1, card)).toBe('refused');
    expect(news.find((each) => each.kind === 'card-answered')).toMatchObject({ status: 'insufficient-balance' });
    answering = () => undefined;
    expect(await station.swipeCard(1, card)).toBe('started');
    expect(await station.swipeCard(1, '1234')).toBe('refused');
    expect(platform.of('charge-application')[0]).toMatchObject({ account: card, startMode: 1, vin: '' });
  });

  test("a charge by VIN is requested with the vehicle's number", async () => {
    const station = await powerUp();
    station.plugIn(1, { ...steadyVehicle(60_000), vin: 'LVDA1B2C3D4E5F6G7' });
    expect(await station.applyByVin(1)).toBe('started');
    expect(platform.of('charge-application')[0]).toMatchObject({ startMode: 3, vin: 'LVDA1B2C3D4E5F6G7' });
    station.interrupt(1, 'Local');
    await clock.settle();
    expect(record()).toMatchObject({ startFlag: 5, vin: 'LVDA1B2C3D4E5F6G7' });
  });

  test('a charge ends with the money: within the balance, and later after an update', async () => {
    const station = await powerUp({ faults: { silent: true } });
    station.plugIn(1, steadyVehicle(60_000));
    platform.send(remoteStart({ balance: 1_000 }));
    await wait(() => station.connector(1).charge !== null);
    await clock.play(2 * minuteMs);
    platform.send({ kind: 'balance-update', pileNo: number, gunNo: 1, physCardNo: '0'.repeat(16), balance: 2_000 });
    await wait(() => platform.of('balance-update-reply').length === 1);
    platform.send({
      kind: 'balance-update',
      pileNo: number,
      gunNo: 1,
      physCardNo: '0'.repeat(15).concat('1'),
      balance: 1,
    });
    await wait(() => platform.of('balance-update-reply').length === 2);
    expect(platform.of('balance-update-reply').map(({ result }) => result)).toEqual([0, 2]);
    expect(await clock.playUntil(() => station.connector(1).charge === null, hourMs)).toBe(true);
    await clock.settle();
    expect(record()?.stopReason).toBe(0x6e);
    expect(record()?.totalAmount).toBeLessThanOrEqual(200_000);
    expect(record()?.totalAmount).toBeGreaterThan(199_000);
  });

  test('a charge ends by itself when the vehicle is full, and says that the battery ended it', async () => {
    const station = await powerUp();
    station.plugIn(1, { ...steadyVehicle(60_000), batteryWh: 10_000, socStartPercent: 50, socTargetPercent: 80 });
    await station.swipeCard(1, card);
    await clock.play(10 * minuteMs);
    expect(record()).toMatchObject({ stopReason: 0x41, totalEnergy: Math.floor(30_000 / 0.95) });
    expect(platform.of('bms-abort')).toHaveLength(1);
  });

  test('pulling the plug in the middle sends the record at once (section 3.3)', async () => {
    const station = await powerUp();
    await startCharge(station);
    await clock.play(3 * minuteMs);
    station.unplug(1);
    await clock.settle();
    expect(record()).toMatchObject({ stopReason: 0x6b, totalEnergy: 30_000, endTime: clock.now() });
    await arrived();
    expect(platform.of('realtime-data').at(-1)).toMatchObject({ plugged: 0, state: 2 });
  });
});

describe('a remote start', () => {
  test('a remote start is answered under its own sequence number, and again when it comes twice', async () => {
    const station = await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    const start = remoteStart();
    const first = platform.send(start);
    const second = platform.send(start);
    await wait(() => platform.of('remote-start-reply').length === 2);
    expect(platform.of('remote-start-reply').every(({ result }) => result === 1)).toBe(true);
    const replies = platform.heard.filter(({ message }) => message.kind === 'remote-start-reply');
    expect(replies.map(({ sequence }) => sequence)).toEqual([first, second]);
    platform.send(remoteStart());
    await wait(() => platform.of('remote-start-reply').length === 3);
    expect(platform.of('remote-start-reply')[2]).toMatchObject({ result: 0, failReason: 2 });
    platform.send({ kind: 'remote-stop', pileNo: number, gunNo: 1 });
    await wait(() => platform.of('transaction-record').length === 1);
    expect(record()).toMatchObject({ startFlag: 1, stopReason: 0x40 });
    platform.send({ kind: 'remote-stop', pileNo: number, gunNo: 1 });
    await wait(() => platform.of('remote-stop-reply').length === 2);
    expect(platform.of('remote-stop-reply').map(({ failReason }) => failReason)).toEqual([0, 2]);
  });

  test('a remote start without a plug fails with 5, and succeeds when one comes within 60 s', async () => {
    const station = await powerUp();
    platform.send(remoteStart());
    await wait(() => platform.of('remote-start-reply').length === 1);
    await clock.play(50 * secondMs);
    station.plugIn(1, steadyVehicle(60_000));
    await arrived();
    expect(platform.of('remote-start-reply').map(({ result, failReason }) => [result, failReason])).toEqual([
      [0, 5],
      [1, 0],
    ]);
    expect(station.connector(1).charge).not.toBeNull();
  });

  test('a remote start without a plug is forgotten after 60 s', async () => {
    const station = await powerUp();
    platform.send(remoteStart());
    await wait(() => platform.of('remote-start-reply').length === 1);
    await clock.play(61 * secondMs);
    station.plugIn(1, steadyVehicle(60_000));
    await arrived();
    expect(platform.of('remote-start-reply')).toHaveLength(1);
    expect(station.connector(1).charge).toBeNull();
  });
});

describe('records', () => {
  test('a record is sent three times every 30 s and once after 5 min, then after the next login (section 3.3)', async () => {
    const station = await powerUp({ answerTimeoutMs: 500 });
    await startCharge(station);
    await clock.play(minuteMs);
    answering = (message) => (message.kind === 'transaction-record' ? null : undefined);
    await station.swipeCard(1, card);
    const endedAt = clock.now();
    const times: number[] = [];
    await clock.playUntil(() => {
      if (platform.of('transaction-record').length > times.length) times.push(clock.now() - endedAt);
      return false;
    }, 20 * minuteMs);
    expect(times).toEqual([0, 30_000, 60_000, 90_000, 390_000]);
    expect(station.isDelivered).toBe(false);
    answering = () => undefined;
    station.dropLink(5_000);
    expect(await clock.playUntil(() => station.isDelivered, minuteMs)).toBe(true);
    expect(new Set(platform.of('transaction-record').map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test('a record of a charge ended by a power cut comes after the next login, with the time of the cut', async () => {
    const station = await powerUp({ faults: { powerCut: { afterMs: 5 * minuteMs, offMs: hourMs, stop: 'later' } } });
    await startCharge(station);
    await clock.play(30 * minuteMs);
    expect(platform.of('transaction-record')).toHaveLength(0);
    await clock.playUntil(() => station.isOnline && station.isDelivered, hourMs);
    expect(record()).toMatchObject({ stopReason: 0x83, endTime: noon + 5 * minuteMs, totalEnergy: 50_000 });
    const kinds = platform.kinds().slice(platform.kinds().lastIndexOf('login'));
    expect(kinds.indexOf('transaction-record')).toBeLessThan(kinds.indexOf('billing-model-verify'));
  });

  test('a record of a charge that continued offline is complete', async () => {
    const station = await powerUp();
    const tradeNo = await startCharge(station);
    await clock.play(minuteMs);
    station.dropLink(10 * minuteMs);
    await clock.play(5 * minuteMs);
    await station.swipeCard(1, card);
    expect(station.isDelivered).toBe(false);
    await clock.playUntil(() => station.isDelivered, hourMs);
    expect(record()).toMatchObject({ tradeNo, totalEnergy: 60_000, endTime: noon + 6 * minuteMs });
  });

  test('a record may have another amount than its energy, or a meter that ran backwards', async () => {
    const station = await powerUp({
      faults: { amountErrorHundredthsFen: 12_300, meterRollback: { afterMs: minuteMs, byWh: 5_000 } },
    });
    await startCharge(station);
    await clock.play(5 * minuteMs);
    await station.swipeCard(1, card);
    await clock.settle();
    expect(record()).toMatchObject({ peakAmount: 60_000, totalAmount: 72_300, totalEnergy: 50_000 });
    expect((record()?.meterEnd ?? 0) - (record()?.meterStart ?? 0)).toBe(0);
  });
});

describe('without the platform', () => {
  test('offline, cards of the whitelist charge under a number of the station, others do not', async () => {
    const station = await powerUp();
    platform.send({
      kind: 'offline-card-sync',
      pileNo: number,
      cards: [
        { logicCardNo: '8800000000000001', physCardNo: card },
        { logicCardNo: '8800000000000002', physCardNo: '00000000AAAA0002' },
      ],
    });
    await wait(() => platform.of('offline-card-sync-reply').length === 1);
    platform.send({ kind: 'offline-card-clear', pileNo: number, cards: [{ physCardNo: '00000000AAAA0002' }] });
    await wait(() => platform.of('offline-card-clear-reply').length === 1);
    platform.send({
      kind: 'offline-card-query',
      pileNo: number,
      cards: [{ physCardNo: card }, { physCardNo: '00000000AAAA0002' }],
    });
    await wait(() => platform.of('offline-card-query-reply').length === 1);
    expect(platform.of('offline-card-query-reply')[0]?.items.map(({ result }) => result)).toEqual([1, 0]);

    station.dropLink(10 * minuteMs);
    station.plugIn(1, steadyVehicle(60_000));
    expect(await station.swipeCard(1, 'AAAA0002')).toBe('refused');
    expect(await station.swipeCard(1, card)).toBe('started');
    await clock.play(minuteMs);
    expect(await station.swipeCard(1, card)).toBe('stopped');
    await clock.playUntil(() => station.isDelivered, hourMs);
    expect(record()).toMatchObject({ startFlag: 4, totalEnergy: 10_000, physCardNo: card });
    expect(record()?.tradeNo).toBe(`${number}01261121120000${'0001'}`);
  });
});

describe('commands', () => {
  test('work parameters forbid charging and limit its power', async () => {
    const station = await powerUp();
    const set = (disabled: number, maxPowerPct: number): void => {
      platform.send({ kind: 'work-parameter-set', pileNo: number, disabled, maxPowerPct });
    };
    set(1, 100);
    set(0, 20);
    await wait(() => platform.of('work-parameter-reply').length === 2);
    expect(platform.of('work-parameter-reply').map(({ result }) => result)).toEqual([1, 0]);
    station.plugIn(1, steadyVehicle(120_000));
    expect(await station.swipeCard(1, card)).toBe('refused');
    set(0, 50);
    await wait(() => platform.of('work-parameter-reply').length === 3);
    expect(await station.swipeCard(1, card)).toBe('started');
    await clock.play(minuteMs);
    expect(station.connector(1).charge?.energyWh).toBe(1_000);
  });

  test('the ground lock moves and reports, unless it jams', async () => {
    const station = await powerUp({ hasGroundLocks: true });
    const raise: PlatformMessage = { kind: 'ground-lock-command', pileNo: number, gunNo: 2, action: 0x55 };
    platform.send(raise);
    await wait(() => platform.of('ground-lock-command-reply').length === 1);
    await arrived();
    expect(platform.of('ground-lock-report').map(({ gunNo, lockState }) => [gunNo, lockState])).toEqual([
      [2, 0],
      [2, 0x55],
    ]);
    station.setFaults({ lockJams: true });
    platform.send(raise);
    await wait(() => platform.of('ground-lock-command-reply').length === 2);
    expect(platform.of('ground-lock-command-reply').map(({ result }) => result)).toEqual([1, 0]);
  });

  test('a reboot when idle waits for the charge; firmware is reported after its installation', async () => {
    const station = await powerUp();
    await startCharge(station);
    platform.send({ kind: 'reboot', pileNo: number, when: 2 });
    await wait(() => platform.of('reboot-reply').length === 1);
    await clock.play(minuteMs);
    expect(platform.connections).toBe(1);
    await station.swipeCard(1, card);
    await clock.playUntil(() => platform.connections === 2 && station.isOnline, minuteMs);
    const update: PlatformMessage = {
      kind: 'ota-update',
      pileNo: number,
      pileModel: 1,
      power: 120,
      host: '192.0.2.7',
      port: 21,
      user: 'pile',
      password: 'secret',
      path: '/fw/dc-5.1.2.bin',
      when: 1,
      timeoutMin: 10,
    };
    platform.send({ ...update, pileModel: 2 });
    await wait(() => platform.of('ota-reply').length === 1);
    platform.send(update);
    await clock.playUntil(() => platform.connections === 3 && station.isOnline, 2 * minuteMs);
    expect(platform.of('ota-reply').map(({ state }) => state)).toEqual([2, 0]);
    expect(platform.of('login').at(-1)?.softwareVersion).toBe('5.1.2');
  });

  test('live data are sent on request', async () => {
    await powerUp();
    const before = platform.of('realtime-data').length;
    platform.send({ kind: 'read-realtime-data', pileNo: number, gunNo: 2 });
    await wait(() => platform.of('realtime-data').length === before + 1);
    expect(platform.of('realtime-data').at(-1)?.gunNo).toBe(2);
  });
});

describe('both guns for one vehicle (1.6)', () => {
  test('both guns for one vehicle start by card, and each has its own record', async () => {
    const station = await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    station.plugIn(2, steadyVehicle(40_000));
    expect(await station.swipeCardForAll(card)).toBe('started');
    await clock.play(minuteMs);
    station.interrupt(1, 'Local');
    station.interrupt(2, 'Local');
    await clock.settle();
    const applications = platform.of('parallel-charge-application');
    expect(applications.map(({ gunNo, masterFlag }) => [gunNo, masterFlag])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(new Set(applications.map(({ parallelNo }) => parallelNo)).size).toBe(1);
    expect(platform.of('transaction-record').map(({ gunNo, totalEnergy }) => [gunNo, totalEnergy])).toEqual([
      [1, 10_000],
      [2, 6_666],
    ]);
  });

  test('neither of both guns starts when one is not plugged in, and both answer alike', async () => {
    const station = await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    const start = (gunNo: number, parallelNo: string): PlatformMessage => ({
      kind: 'remote-parallel-start',
      tradeNo: platform.nextTradeNo(number, gunNo),
      pileNo: number,
      gunNo,
      logicCardNo: '8800000000000001',
      physCardNo: card,
      balance: 50_000,
      parallelNo,
    });
    platform.send(start(1, '261121120000'));
    platform.send(start(2, '261121120000'));
    await wait(() => platform.of('remote-parallel-start-reply').length === 2);
    expect(platform.of('remote-parallel-start-reply').map(({ failReason }) => failReason)).toEqual([5, 5]);
    expect(station.connectors.every(({ charge }) => charge === null)).toBe(true);
    station.plugIn(2, steadyVehicle(40_000));
    platform.send(start(1, '261121120001'));
    platform.send(start(2, '261121120001'));
    await wait(() => platform.of('remote-parallel-start-reply').length === 4);
    expect(station.connectors.every(({ charge }) => charge !== null)).toBe(true);
  });
});

describe('on the wire', () => {
  test('several stations share one socket behind a concentrator', async () => {
    const link = new PileLink({ url: platform.url, clock });
    const numbers = [number, '44030601000002', '44030601000003'];
    const all = numbers.map((each) => makeStation({ number: each, connectors: 1, link }));
    for (const station of all) station.start();
    expect(await clock.playUntil(() => all.every((station) => station.isOnline), minuteMs)).toBe(true);
    expect(platform.connections).toBe(1);
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('there are three');
    await startCharge(second);
    first.cutPower({ offMs: minuteMs, stop: 'later' });
    await clock.play(20 * secondMs);
    expect(second.isOnline).toBe(true);
    expect(first.isOnline).toBe(false);
    await clock.play(2 * minuteMs);
    expect(first.isOnline).toBe(true);
    second.dropLink(5_000);
    expect(
      await clock.playUntil(() => platform.connections === 2 && all.every(({ isOnline }) => isOnline), minuteMs),
    ).toBe(true);
  });

  test('a vendor with the CRC high byte first, and noise between frames, is understood', async () => {
    const station = await powerUp({ connectors: 1, faults: { crcHighFirst: true, garbageEvery: 3 } });
    await startCharge(station);
    await clock.play(5 * minuteMs);
    await station.swipeCard(1, card);
    await clock.playUntil(() => station.isDelivered, 5 * minuteMs);
    // If both bytes are equal, the order is unknown.
    const told = platform.heard.filter(({ hex }) => hex.slice(-4, -2) !== hex.slice(-2));
    expect(new Set(told.map(({ crcOrder }) => crcOrder))).toEqual(new Set(['high-first']));
    expect(platform.skipped).toBeGreaterThan(0);
    expect(record()?.totalEnergy).toBe(50_000);
  });

  test('duplicated messages are the same bytes, or the same content under another number', async () => {
    const station = await powerUp({ connectors: 1, faults: { duplicates: 'both' } });
    await startCharge(station);
    await station.swipeCard(1, card);
    await arrived();
    const records = platform.heard.filter(({ message }) => message.kind === 'transaction-record');
    expect(records).toHaveLength(3);
    expect(records[0]?.hex).toBe(records[1]?.hex);
    expect(records[2]?.sequence).not.toBe(records[0]?.sequence);
    expect(new Set(records.map(({ message }) => JSON.stringify(message))).size).toBe(1);
  });

  test('a silent station sends no heartbeats; a flapping one comes back', async () => {
    const station = await powerUp({ faults: { silent: true } });
    await clock.play(2 * minuteMs);
    expect(platform.of('heartbeat')).toHaveLength(0);
    station.setFaults({ silent: false, flapping: { upMs: 30_000, downMs: 10_000 } });
    await clock.play(5 * minuteMs);
    expect(platform.connections).toBeGreaterThanOrEqual(5);
    station.setFaults({ flapping: null });
    expect(await clock.playUntil(() => station.isOnline, minuteMs)).toBe(true);
  });

  test('a clock that lost its time counts from the year 2000', async () => {
    const station = await powerUp({ faults: { clock: { kind: 'epoch' } } });
    await startCharge(station);
    await clock.play(minuteMs);
    await station.swipeCard(1, card);
    await clock.settle();
    expect(record()?.startTime).toBeLessThan(Date.parse('2000-01-01T00:05:00+08:00'));
    expect(record()?.totalEnergy).toBe(10_000);
  });

  test('the same seed sends the same messages', async () => {
    const play = async (seed: number): Promise<string> => {
      const ownClock = scriptedClock(noon);
      const ownPlatform = await openPlatform();
      const own = new VirtualPile({
        url: ownPlatform.url,
        number,
        connectors: 1,
        kind: 'dc',
        maxPowerKw: 60,
        seed,
        clock: ownClock,
      });
      own.start();
      await ownClock.playUntil(() => own.isOnline, minuteMs);
      own.plugIn(1);
      await own.swipeCard(1, card);
      await ownClock.play(20 * minuteMs);
      own.unplug(1);
      await ownClock.play(minuteMs);
      await own.stop();
      await ownPlatform.close();
      return ownPlatform.heard.map(({ hex }) => hex).join('\n');
    };
    const first = await play(1);
    expect(await play(1)).toBe(first);
    expect(await play(2)).not.toBe(first);
  });
});
