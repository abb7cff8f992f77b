import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { steadyVehicle } from './charging-curve.ts';
import { type ScriptedClock, scriptedClock } from './clock.ts';
import type { StationNews } from './station-news.ts';
import type { StationOptions } from './station-options.ts';
import { type Answering, type CentralSystem, openCentralSystem } from './test-central-system.ts';
import { VirtualStation } from './virtual-station.ts';

const noon = Date.UTC(2026, 10, 21, 4);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock: ScriptedClock;
let central: CentralSystem;
let answering: Answering;
let station: VirtualStation;
let news: StationNews[];

beforeEach(async () => {
  clock = scriptedClock(noon);
  answering = () => undefined;
  central = await openCentralSystem((call) => answering(call));
});

afterEach(async () => {
  await station.stop();
  expect(clock.pendingTimers()).toBe(0);
  await central.close();
});

async function powerUp(overrides: Partial<StationOptions> = {}): Promise<VirtualStation> {
  station = new VirtualStation({
    url: central.url,
    number: 'CD-001',
    connectors: 2,
    kind: 'dc',
    maxPowerKw: 120,
    clock,
    registersWh: [100_000, 200_000],
    ...overrides,
  });
  news = [];
  station.on((each) => news.push(each));
  station.start();
  expect(await clock.playUntil(() => station.isOnline && central.actions().length >= 4, minuteMs)).toBe(true);
  await clock.settle();
  return station;
}

async function startCharge(powerW = 60_000, connector = 1): Promise<number> {
  station.plugIn(connector, steadyVehicle(powerW));
  expect(await station.swipeCard(connector, 'CARD-1')).toBe('started');
  await clock.settle();
  const number = station.connector(connector).charge?.transactionId;
  expect(number).toBeGreaterThan(0);
  return number ?? 0;
}

/** Energy registers in order of arrival. */
const registers = () =>
  central.of('MeterValues').map((payload) => {
    const [value] = payload.meterValue as { timestamp: string; sampledValue: { value: string; measurand: string }[] }[];
    const energy = value?.sampledValue.find((sample) => sample.measurand === 'Energy.Active.Import.Register');
    return { at: Date.parse(value?.timestamp ?? ''), wh: Number(energy?.value) };
  });
const kinds = (kind: StationNews['kind']) => news.filter((each) => each.kind === kind);

describe('a charge', () => {
  test('a charge follows the sequence of real firmware, and what it sends is valid OCPP 1.6', async () => {
    await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    await clock.settle();
    await station.swipeCard(1, 'CARD-1');
    await clock.play(10 * minuteMs);
    expect(await station.swipeCard(1, 'card-1')).toBe('stopped');
    await clock.settle();
    station.unplug(1);
    await clock.settle();

    expect(central.statuses(0)).toEqual(['Available']);
    expect(central.statuses(1)).toEqual(['Available', 'Preparing', 'Charging', 'Finishing', 'Available']);
    expect(central.statuses(2)).toEqual(['Available']);
    const actions = central.actions().filter((action) => action !== 'StatusNotification' && action !== 'Heartbeat');
    expect(actions).toEqual([
      'BootNotification',
      'Authorize',
      'StartTransaction',
      ...Array.from({ length: 10 }, () => 'MeterValues'),
      'StopTransaction',
    ]);
    expect(central.invalid).toEqual([]);
  });

  test('a charge of two hours is played without waiting, with exact energy at every sample', async () => {
    await powerUp({ configuration: { StopTxnSampledData: 'Energy.Active.Import.Register' } });
    const transactionId = await startCharge(60_000);
    await clock.play(2 * hourMs);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();

    expect(central.of('StartTransaction')).toEqual([
      { connectorId: 1, idTag: 'CARD-1', meterStart: 100_000, timestamp: new Date(noon).toISOString() },
    ]);
    const samples = registers();
    expect(samples).toHaveLength(120);
    for (const { at, wh } of samples) expect(wh).toBe(100_000 + ((at - noon) / minuteMs) * 1_000);
    const [stop] = central.of('StopTransaction');
    expect(stop).toMatchObject({
      transactionId,
      idTag: 'CARD-1',
      meterStop: 220_000,
      reason: 'Local',
      timestamp: new Date(noon + 2 * hourMs).toISOString(),
    });
    const data = stop?.transactionData as { sampledValue: { context: string }[] }[];
    expect(data).toHaveLength(122);
    expect(data.at(0)?.sampledValue[0]?.context).toBe('Transaction.Begin');
    expect(data.at(-1)?.sampledValue[0]?.context).toBe('Transaction.End');
    expect(central.invalid).toEqual([]);
  });

  test('samples contain what the kind of station measures', async () => {
    await powerUp({ kind: 'ac', maxPowerKw: 22 });
    station.plugIn(1, { ...steadyVehicle(21_000), voltageV: 230, phases: 3 });
    await station.swipeCard(1, 'CARD-1');
    await clock.play(minuteMs);
    const values = central.of('MeterValues').at(0)?.meterValue as { sampledValue: Record<string, string>[] }[];
    const told = values.at(0)?.sampledValue.map(({ measurand, phase, unit }) => [measurand, phase, unit]);
    expect(told).toEqual([
      ['Energy.Active.Import.Register', undefined, 'Wh'],
      ['Power.Active.Import', undefined, 'W'],
      ['Current.Import', 'L1', 'A'],
      ['Current.Import', 'L2', 'A'],
      ['Current.Import', 'L3', 'A'],
      ['Voltage', 'L1-N', 'V'],
      ['Voltage', 'L2-N', 'V'],
      ['Voltage', 'L3-N', 'V'],
      ['Temperature', undefined, 'Celsius'],
    ]);
    expect(central.invalid).toEqual([]);
  });

  test('a charge ends by itself when a DC vehicle is full', async () => {
    await powerUp();
    station.plugIn(1, { ...steadyVehicle(60_000), batteryWh: 10_000, socStartPercent: 50, socTargetPercent: 80 });
    await station.swipeCard(1, 'CARD-1');
    await clock.play(10 * minuteMs);
    expect(central.statuses(1)).toEqual(['Available', 'Preparing', 'Charging', 'SuspendedEV', 'Finishing']);
    const [stop] = central.of('StopTransaction');
    expect(stop).toMatchObject({ reason: 'Other' });
    expect(stop?.meterStop).toBe(100_000 + Math.floor(3_000 / 0.95));
  });

  test('a charge ends when the plug is pulled', async () => {
    await powerUp();
    await startCharge();
    await clock.play(3 * minuteMs);
    station.unplug(1);
    await clock.settle();
    expect(central.of('StopTransaction')).toMatchObject([{ reason: 'EVDisconnected', meterStop: 103_000 }]);
    expect(central.statuses(1).slice(-3)).toEqual(['SuspendedEV', 'Finishing', 'Available']);
  });

  test('a charge ends when the central system rejects the card at the start', async () => {
    answering = (call) =>
      call.action === 'StartTransaction' ? { transactionId: 9, idTagInfo: { status: 'Blocked' } } : undefined;
    await powerUp();
    station.plugIn(1, steadyVehicle(60_000));
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(central.of('StopTransaction')).toMatchObject([{ transactionId: 9, reason: 'DeAuthorized' }]);
  });

  test('a charge does not start for a refused card, nor on a broken or occupied connector', async () => {
    answering = (call) => (call.action === 'Authorize' ? { idTagInfo: { status: 'Expired' } } : undefined);
    await powerUp();
    station.plugIn(1);
    expect(await station.swipeCard(1, 'CARD-1')).toBe('refused');
    expect(central.statuses(1).at(-1)).toBe('Preparing');
    answering = () => undefined;
    await startCharge(60_000, 2);
    expect(await station.swipeCard(2, 'CARD-2')).toBe('refused');
    station.setConnectorFault(1, { errorCode: 'GroundFailure', info: 'leak', vendorErrorCode: 'E17' });
    expect(await station.swipeCard(1, 'CARD-2')).toBe('refused');
    await clock.settle();
    expect(central.of('StatusNotification').at(-1)).toMatchObject({ status: 'Faulted', errorCode: 'GroundFailure' });
    station.setConnectorFault(1, null);
    await clock.settle();
    expect(central.statuses(1).at(-1)).toBe('Preparing');
    expect(central.invalid).toEqual([]);
  });

  test('a charge waits for the plug after the card, and gives up after ConnectionTimeOut', async () => {
    await powerUp();
    expect(await station.swipeCard(1, 'CARD-1')).toBe('waiting-for-plug');
    await clock.play(59_000);
    expect(station.connector(1).status).toBe('Preparing');
    await clock.play(2_000);
    expect(station.connector(1).status).toBe('Available');
    expect(await station.swipeCard(1, 'CARD-1')).toBe('waiting-for-plug');
    station.plugIn(1);
    await clock.settle();
    expect(station.connector(1).charge?.transactionId).toBeGreaterThan(0);
  });

  test('the same seed sends the same messages', async () => {
    const record = async (seed: number): Promise<string> => {
      const ownClock = scriptedClock(noon);
      const ownCentral = await openCentralSystem();
      const own = new VirtualStation({
        url: ownCentral.url,
        number: 'CD-007',
        connectors: 1,
        kind: 'dc',
        maxPowerKw: 60,
        seed,
        clock: ownClock,
      });
      own.start();
      await ownClock.play(minuteMs);
      own.plugIn(1);
      await own.swipeCard(1, 'CARD-1');
      await ownClock.play(20 * minuteMs);
      own.unplug(1);
      await ownClock.play(minuteMs);
      await own.stop();
      await ownCentral.close();
      return JSON.stringify(ownCentral.heard);
    };
    await powerUp();
    const first = await record(1);
    expect(first).toContain('StopTransaction');
    expect(await record(1)).toBe(first);
    expect(await record(2)).not.toBe(first);
  });
});

describe('boot and link', () => {
  test('a station signs in with basic authentication, and with a new password after the next connection', async () => {
    await powerUp({ password: '0123456789abcdef' });
    const header = (password: string) => `Basic ${Buffer.from(`CD-001:${password}`).toString('base64')}`;
    expect(central.authorizations).toEqual([header('0123456789abcdef')]);
    const key = { key: 'AuthorizationKey', value: 'fedcba9876543210XY' };
    expect((await central.command('CD-001', 'ChangeConfiguration', key)).payload).toEqual({ status: 'Accepted' });
    station.dropLink(1_000);
    await clock.play(10_000);
    expect(central.authorizations.at(-1)).toBe(header('fedcba9876543210XY'));
    const read = await central.command('CD-001', 'GetConfiguration', { key: ['AuthorizationKey'] });
    expect(JSON.stringify(read)).not.toContain('fedcba');
  });

  test('a pending boot is repeated after the interval, and nothing else is sent before it is accepted', async () => {
    let boots = 0;
    answering = (call) => {
      if (call.action !== 'BootNotification') return undefined;
      boots += 1;
      return boots < 3 ? { status: 'Pending', currentTime: new Date(noon).toISOString(), interval: 20 } : undefined;
    };
    await powerUp();
    expect(central.actions().slice(0, 4)).toEqual([
      'BootNotification',
      'BootNotification',
      'BootNotification',
      'StatusNotification',
    ]);
    expect(clock.now()).toBe(noon + 40_000);
  });

  test('heartbeats follow the interval of the boot answer', async () => {
    await powerUp();
    await clock.play(hourMs);
    expect(central.of('Heartbeat')).toHaveLength(12);
  });

  test('messages about a charge wait while the link is down and arrive in order, with their event times', async () => {
    await powerUp();
    const transactionId = await startCharge(60_000);
    await clock.play(5 * minuteMs);
    station.dropLink(40 * minuteMs);
    await clock.play(20 * minuteMs);
    await station.swipeCard(1, 'CARD-1');
    station.unplug(1);
    station.plugIn(1, steadyVehicle(30_000));
    expect(await station.swipeCard(1, 'CARD-2')).toBe('started');
    await clock.play(30 * minuteMs);

    const about = central.heard.filter(({ action }) =>
      ['StartTransaction', 'MeterValues', 'StopTransaction'].includes(action),
    );
    expect(about.map(({ action }) => action)).toEqual([
      'StartTransaction',
      ...Array.from({ length: 25 }, () => 'MeterValues'),
      'StopTransaction',
      'StartTransaction',
      ...Array.from({ length: 30 }, () => 'MeterValues'),
    ]);
    const afterBoot = central.actions().slice(central.actions().lastIndexOf('BootNotification') + 1);
    expect(afterBoot.indexOf('StatusNotification')).toBeGreaterThan(afterBoot.lastIndexOf('StartTransaction'));
    const [first, second] = central.of('StartTransaction');
    expect(first?.timestamp).toBe(new Date(noon).toISOString());
    expect(second?.timestamp).toBe(new Date(noon + 25 * minuteMs).toISOString());
    expect(central.of('StopTransaction')).toMatchObject([
      { transactionId, meterStop: 125_000, timestamp: new Date(noon + 25 * minuteMs).toISOString() },
    ]);
    const secondNumber = station.connector(1).charge?.transactionId;
    expect(secondNumber).not.toBe(transactionId);
    expect(central.of('MeterValues').map((payload) => payload.transactionId)).toEqual([
      ...Array.from({ length: 25 }, () => transactionId),
      ...Array.from({ length: 30 }, () => secondNumber),
    ]);
    expect(station.isDelivered).toBe(true);
    expect(central.statuses(1).at(-1)).toBe('Charging');
  });

  test.each([
    ['a new id', false],
    ['the same id', true],
  ])('a lost answer makes the station repeat the same content under %s', async (_, retriesUnderSameId) => {
    await powerUp({ faults: { retriesUnderSameId } });
    station.setFaults({ losesAnswerTo: 'StartTransaction' });
    station.plugIn(1, steadyVehicle(60_000));
    await station.swipeCard(1, 'CARD-1');
    await clock.play(minuteMs);
    const starts = central.heard.filter(({ action }) => action === 'StartTransaction');
    expect(starts).toHaveLength(2);
    expect(starts[0]?.payload).toEqual(starts[1]?.payload);
    expect(starts[0]?.id === starts[1]?.id).toBe(retriesUnderSameId);
    expect(station.connector(1).charge?.transactionId).toBe(1_001);
  });

  test('a message answered with an error is retried with growing pauses and dropped after the last attempt', async () => {
    await powerUp({ configuration: { TransactionMessageAttempts: '3', TransactionMessageRetryInterval: '10' } });
    answering = (call) => (call.action === 'StartTransaction' ? new Error('InternalError') : undefined);
    station.plugIn(1, steadyVehicle(60_000));
    await station.swipeCard(1, 'CARD-1');
    await clock.play(2 * minuteMs);
    expect(central.of('StartTransaction')).toHaveLength(3);
    expect(kinds('message-retried').map(({ at }) => at)).toEqual([noon, noon + 10_000]);
    expect(kinds('message-dropped')).toMatchObject([
      { action: 'StartTransaction', because: 'attempts', at: noon + 30_000 },
    ]);
    expect(central.of('MeterValues').at(-1)).toMatchObject({ transactionId: -1 });
  });

  test('a new connection does not wait for the pause of an earlier attempt', async () => {
    await powerUp({ configuration: { TransactionMessageRetryInterval: '3600' } });
    answering = (call) => (call.action === 'StartTransaction' ? new Error('InternalError') : undefined);
    station.plugIn(1, steadyVehicle(60_000));
    await station.swipeCard(1, 'CARD-1');
    await clock.play(minuteMs);
    answering = () => undefined;
    station.dropLink(1_000);
    await clock.play(minuteMs);
    expect(station.connector(1).charge?.transactionId).toBeGreaterThan(0);
    expect(station.isDelivered).toBe(true);
  });

  test('a central system that falls silent is disconnected and reconnected', async () => {
    await powerUp({ answerTimeoutMs: 40, configuration: { TransactionMessageRetryInterval: '1' } });
    let silent = true;
    answering = () => (silent ? null : undefined);
    station.plugIn(1, steadyVehicle(60_000));
    expect(await station.swipeCard(1, 'CARD-1')).toBe('started');
    await clock.play(10_000);
    expect(kinds('link-closed').length).toBeGreaterThan(0);
    silent = false;
    await clock.play(3 * minuteMs);
    expect(station.connector(1).charge?.transactionId).toBeGreaterThan(0);
    expect(station.isDelivered).toBe(true);
  });

  test('an accepted card is remembered: before a charge when the key says so, and while the link is down', async () => {
    await powerUp({ configuration: { AllowOfflineTxForUnknownId: 'false', LocalPreAuthorize: 'true' } });
    await startCharge();
    await station.swipeCard(1, 'CARD-1');
    await startCharge();
    expect(central.of('Authorize')).toHaveLength(1);
    await station.swipeCard(1, 'CARD-1');
    station.dropLink(hourMs);
    expect(await station.swipeCard(1, 'STRANGER')).toBe('refused');
    expect(await station.swipeCard(1, 'card-1')).toBe('started');
  });

  test('an Authorize answered with an error refuses the card', async () => {
    answering = (call) => (call.action === 'Authorize' ? new Error('InternalError') : undefined);
    await powerUp();
    station.plugIn(1);
    expect(await station.swipeCard(1, 'CARD-1')).toBe('refused');
    expect(kinds('card-answered')).toMatchObject([{ status: 'InternalError' }]);
  });

  test('a station that is powered up while the network is down connects when it is back', async () => {
    await powerUp();
    station.cutPower({ offMs: minuteMs, stop: 'later' });
    station.dropLink(10 * minuteMs);
    await clock.play(9 * minuteMs);
    expect(station.isPowered).toBe(true);
    expect(central.connections).toBe(1);
    await clock.play(2 * minuteMs);
    expect(station.isOnline).toBe(true);
  });

  test('a stopped station can be restarted', async () => {
    await powerUp();
    await startCharge();
    await station.stop();
    expect(station.isOnline).toBe(false);
    station.start();
    await clock.play(minuteMs);
    expect(station.isOnline).toBe(true);
    expect(station.connector(1).charge).toBeNull();
  });

  test('a refused handshake is retried with growing pauses', async () => {
    const { createServer } = await import('node:http');
    const refusing = createServer();
    let asked = 0;
    refusing.on('upgrade', (_request, socket) => {
      asked += 1;
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const address = refusing.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    station = new VirtualStation({
      url: `ws://127.0.0.1:${port}/ocpp`,
      number: 'CD-404',
      connectors: 1,
      kind: 'ac',
      maxPowerKw: 7,
      clock,
    });
    news = [];
    station.on((each) => news.push(each));
    station.start();
    await clock.play(5 * minuteMs);
    expect(asked).toBeGreaterThanOrEqual(6);
    expect(asked).toBeLessThanOrEqual(11);
    expect(kinds('link-closed')[0]).toMatchObject({ httpStatus: 404 });
    await new Promise((resolve) => refusing.close(resolve));
  });
});

describe('commands', () => {
  const ask = async (action: string, payload: object = {}) => {
    const answer = await central.command('CD-001', action, payload);
    await clock.settle();
    return answer.error ?? (answer.payload as { status?: string }).status ?? answer.payload;
  };

  test('a remote start charges when the vehicle is plugged in, and a remote stop ends it', async () => {
    await powerUp();
    station.plugIn(2, steadyVehicle(60_000));
    expect(await ask('RemoteStartTransaction', { connectorId: 2, idTag: 'CARD-9' })).toBe('Accepted');
    const transactionId = station.connector(2).charge?.transactionId;
    expect(central.of('StartTransaction')).toMatchObject([{ connectorId: 2, idTag: 'CARD-9' }]);
    expect(await ask('RemoteStartTransaction', { connectorId: 2, idTag: 'CARD-8' })).toBe('Rejected');
    expect(await ask('RemoteStopTransaction', { transactionId: 999_999 })).toBe('Rejected');
    expect(await ask('RemoteStopTransaction', { transactionId })).toBe('Accepted');
    expect(central.of('StopTransaction')).toMatchObject([{ transactionId, reason: 'Remote' }]);
    expect(central.statuses(2).at(-1)).toBe('Finishing');
  });

  test('a remote start without a vehicle waits for the plug', async () => {
    await powerUp({ configuration: { AuthorizeRemoteTxRequests: 'true' } });
    expect(await ask('RemoteStartTransaction', { connectorId: 1, idTag: 'CARD-9' })).toBe('Accepted');
    expect(central.statuses(1).at(-1)).toBe('Preparing');
    expect(central.of('Authorize')).toEqual([{ idTag: 'CARD-9' }]);
    station.plugIn(1, steadyVehicle(60_000));
    await clock.settle();
    expect(station.connector(1).charge?.card).toBe('CARD-9');
  });

  test('a soft reset sends the stop first, a hard reset after the boot', async () => {
    await powerUp();
    await startCharge();
    await clock.play(2 * minuteMs);
    expect(await ask('Reset', { type: 'Soft' })).toBe('Accepted');
    await clock.play(minuteMs);
    expect(station.isOnline).toBe(true);
    let order = central.actions().filter((action) => ['BootNotification', 'StopTransaction'].includes(action));
    expect(order).toEqual(['BootNotification', 'StopTransaction', 'BootNotification']);
    station.unplug(1);
    await startCharge();
    await clock.play(2 * minuteMs);
    expect(await ask('Reset', { type: 'Hard' })).toBe('Accepted');
    await clock.play(minuteMs);
    order = central.actions().filter((action) => ['BootNotification', 'StopTransaction'].includes(action));
    expect(order.slice(3)).toEqual(['BootNotification', 'StopTransaction']);
    expect(central.of('StopTransaction').map(({ reason }) => reason)).toEqual(['SoftReset', 'HardReset']);
    expect(central.connections).toBe(3);
  });

  test('unlocking ends a charge; a jammed lock fails; an unknown connector is not supported', async () => {
    await powerUp();
    await startCharge();
    expect(await ask('UnlockConnector', { connectorId: 3 })).toBe('NotSupported');
    station.setFaults({ lockJams: true });
    expect(await ask('UnlockConnector', { connectorId: 1 })).toBe('UnlockFailed');
    station.setFaults({ lockJams: false });
    expect(await ask('UnlockConnector', { connectorId: 1 })).toBe('Unlocked');
    expect(central.of('StopTransaction')).toMatchObject([{ reason: 'UnlockCommand' }]);
  });

  test('availability changes at once, or after a running charge', async () => {
    await powerUp();
    await startCharge();
    expect(await ask('ChangeAvailability', { connectorId: 2, type: 'Inoperative' })).toBe('Accepted');
    expect(central.statuses(2).at(-1)).toBe('Unavailable');
    expect(await ask('ChangeAvailability', { connectorId: 1, type: 'Inoperative' })).toBe('Scheduled');
    expect(central.statuses(1).at(-1)).toBe('Charging');
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(central.statuses(1).at(-1)).toBe('Unavailable');
    expect(await ask('RemoteStartTransaction', { idTag: 'CARD-9' })).toBe('Rejected');
    expect(await ask('ChangeAvailability', { connectorId: 0, type: 'Operative' })).toBe('Accepted');
    expect(central.statuses(0).at(-1)).toBe('Available');
    expect(central.statuses(2).at(-1)).toBe('Available');
    expect(await ask('ChangeAvailability', { connectorId: 7, type: 'Operative' })).toBe('Rejected');
  });

  test('configuration is read, changed, and refused as the key requires', async () => {
    await powerUp();
    const all = (await ask('GetConfiguration')) as { configurationKey: { key: string }[]; unknownKey: string[] };
    expect(all.configurationKey.length).toBeGreaterThan(30);
    expect(await ask('GetConfiguration', { key: ['numberofconnectors', 'Nonsense'] })).toEqual({
      configurationKey: [{ key: 'NumberOfConnectors', readonly: true, value: '2' }],
      unknownKey: ['Nonsense'],
    });
    const change = (key: string, value: string) => ask('ChangeConfiguration', { key, value });
    expect(await change('NumberOfConnectors', '4')).toBe('Rejected');
    expect(await change('Nonsense', '4')).toBe('NotSupported');
    expect(await change('HeartbeatInterval', '-1')).toBe('Rejected');
    expect(await change('LocalPreAuthorize', 'maybe')).toBe('Rejected');
    expect(await change('MeterValuesSampledData', 'Voltage,Speed')).toBe('Rejected');
    expect(await change('CabinetPowerLimitW', '30000')).toBe('RebootRequired');
    expect(await change('HeartbeatInterval', '10')).toBe('Accepted');
    await clock.play(minuteMs);
    expect(central.of('Heartbeat')).toHaveLength(6);
  });

  test('a new sample interval takes effect at once', async () => {
    await powerUp();
    await startCharge();
    await ask('ChangeConfiguration', { key: 'MeterValueSampleInterval', value: '5' });
    await clock.play(minuteMs);
    expect(central.of('MeterValues')).toHaveLength(12);
  });

  test('clock-aligned samples come from every connector at round times', async () => {
    await powerUp();
    const transactionId = await startCharge();
    await ask('ChangeConfiguration', { key: 'MeterValueSampleInterval', value: '0' });
    await ask('ChangeConfiguration', { key: 'ClockAlignedDataInterval', value: '900' });
    await clock.play(35 * minuteMs);
    const aligned = central.of('MeterValues');
    expect(aligned.map(({ connectorId }) => connectorId)).toEqual([1, 2, 1, 2]);
    expect(aligned[0]).toMatchObject({ transactionId });
    expect(aligned[1]).not.toHaveProperty('transactionId');
    expect(registers()[0]?.at).toBe(noon + 15 * minuteMs);
    expect(JSON.stringify(aligned)).toContain('Sample.Clock');
    expect(central.invalid).toEqual([]);
  });

  test('a password in hexadecimal digits stands for its bytes', async () => {
    await powerUp({ password: 'old password 123' });
    const value = Buffer.from('sixteen bytes ok').toString('hex');
    expect(await ask('ChangeConfiguration', { key: 'AuthorizationKey', value })).toBe('Accepted');
    expect(await ask('Reset', { type: 'Soft' })).toBe('Accepted');
    await clock.play(minuteMs);
    const expected = Buffer.from('CD-001:sixteen bytes ok').toString('base64');
    expect(central.authorizations.at(-1)).toBe(`Basic ${expected}`);
  });

  test('the power limit of the cabinet takes effect after the next reboot', async () => {
    await powerUp();
    await ask('ChangeConfiguration', { key: 'CabinetPowerLimitW', value: '30000' });
    await startCharge(60_000);
    await clock.play(10 * minuteMs);
    expect(station.connector(1).charge?.energyWh).toBe(10_000);
    station.unplug(1);
    await ask('Reset', { type: 'Hard' });
    await clock.play(minuteMs);
    await startCharge(60_000);
    await clock.play(10 * minuteMs);
    expect(station.connector(1).charge?.energyWh).toBe(5_000);
  });

  test('a triggered message follows the answer', async () => {
    await powerUp();
    const transactionId = await startCharge();
    const trigger = (requestedMessage: string, connectorId?: number) => {
      central.heard.length = 0;
      return ask('TriggerMessage', { requestedMessage, ...(connectorId === undefined ? {} : { connectorId }) });
    };
    expect(await trigger('BootNotification')).toBe('Accepted');
    expect(central.actions().at(0)).toBe('BootNotification');
    expect(await trigger('Heartbeat')).toBe('Accepted');
    expect(central.actions()).toEqual(['Heartbeat']);
    expect(await trigger('MeterValues', 1)).toBe('Accepted');
    expect(central.of('MeterValues')).toMatchObject([{ connectorId: 1, transactionId }]);
    expect(await trigger('MeterValues', 2)).toBe('Accepted');
    expect(central.of('MeterValues')[0]).not.toHaveProperty('transactionId');
    expect(await trigger('StatusNotification')).toBe('Accepted');
    expect(central.actions()).toEqual(['StatusNotification', 'StatusNotification', 'StatusNotification']);
    expect(await trigger('StatusNotification', 1)).toBe('Accepted');
    expect(central.statuses(1)).toEqual(['Charging']);
    expect(await trigger('FirmwareStatusNotification')).toBe('Accepted');
    expect(await trigger('DiagnosticsStatusNotification')).toBe('Accepted');
    expect(central.actions()).toEqual(['DiagnosticsStatusNotification']);
    expect(await trigger('StatusNotification', 9)).toBe('Rejected');
    expect(await trigger('Poetry')).toBe('NotImplemented');
    expect(central.invalid).toEqual([]);
  });

  test('every other command is answered too', async () => {
    await powerUp();
    expect(await ask('ClearCache')).toBe('Accepted');
    expect(await ask('DataTransfer', { vendorId: 'Nobody' })).toBe('UnknownVendorId');
    expect(await ask('DataTransfer', { vendorId: 'Voltdeck Virtual', messageId: 'Sing' })).toBe('UnknownMessageId');
    const echo = { vendorId: 'Voltdeck Virtual', messageId: 'Echo', data: 'hello' };
    expect((await central.command('CD-001', 'DataTransfer', echo)).payload).toEqual({
      status: 'Accepted',
      data: 'hello',
    });
    expect(await ask('GetLocalListVersion')).toBe('NotSupported');
    expect(await ask('MakeCoffee')).toBe('NotImplemented');
    for (const action of ['RemoteStartTransaction', 'Reset', 'UnlockConnector', 'ChangeConfiguration']) {
      expect(await ask(action)).toBe('TypeConstraintViolation');
    }
    central.sendText('CD-001', '{"not":"ocpp"');
    central.sendText('CD-001', '[3,"nobody-asked",{}]');
    expect(await ask('ClearCache')).toBe('Accepted');
  });
});

describe('faults', () => {
  test('after a power cut in the middle of a charge the station reboots and sends the stop late', async () => {
    await powerUp({ faults: { powerCut: { afterMs: 10 * minuteMs, offMs: 5 * minuteMs, stop: 'later' } } });
    const transactionId = await startCharge(60_000);
    await clock.play(12 * minuteMs);
    expect(station.isPowered).toBe(false);
    expect(central.of('StopTransaction')).toEqual([]);
    await clock.play(10 * minuteMs);
    expect(central.actions().filter((action) => action === 'BootNotification')).toHaveLength(2);
    expect(central.of('StopTransaction')).toMatchObject([
      {
        transactionId,
        reason: 'PowerLoss',
        meterStop: 110_000,
        timestamp: new Date(noon + 10 * minuteMs).toISOString(),
      },
    ]);
    expect(central.statuses(1).at(-1)).toBe('Preparing');
    expect(station.connector(1).registerWh).toBe(110_000);
  });

  test('after a power cut the stop may never be sent', async () => {
    await powerUp();
    await startCharge(60_000);
    await clock.play(5 * minuteMs);
    station.cutPower({ offMs: minuteMs, stop: 'never' });
    await clock.play(30 * minuteMs);
    expect(station.isOnline).toBe(true);
    expect(central.of('StopTransaction')).toEqual([]);
    expect(station.connector(1).charge).toBeNull();
  });

  test.each(['same-id', 'new-id', 'both'] as const)('every message is sent twice (%s)', async (duplicates) => {
    await powerUp({ faults: { duplicates } });
    await startCharge(60_000);
    await clock.play(2 * minuteMs);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    const copies = duplicates === 'both' ? 3 : 2;
    for (const action of ['BootNotification', 'StartTransaction', 'StopTransaction']) {
      const sent = central.heard.filter((call) => call.action === action);
      expect(sent).toHaveLength(copies);
      expect(new Set(sent.map((call) => JSON.stringify(call.payload))).size).toBe(1);
      expect(new Set(sent.map((call) => call.id)).size).toBe(duplicates === 'same-id' ? 1 : 2);
    }
    expect(central.of('MeterValues')).toHaveLength(2 * copies);
    const twins = kinds('twin-answered').filter((each) => 'action' in each && each.action === 'StartTransaction');
    expect(twins.length).toBeGreaterThan(0);
    for (const twin of twins) expect(twin).toMatchObject({ same: true });
  });

  test('a duplicated message whose second copy is never answered blocks nothing', async () => {
    const ids = new Set<string>();
    answering = (call) => {
      const content = JSON.stringify([call.action, call.payload]);
      if (ids.has(content)) return null;
      ids.add(content);
      return undefined;
    };
    await powerUp({ faults: { duplicates: 'new-id' }, answerTimeoutMs: 30 });
    expect(central.statuses(2)).toEqual(['Available', 'Available']);
  });

  test.each([
    ['an hour ahead', { kind: 'offset', offsetMs: hourMs }, new Date(noon + hourMs).toISOString()],
    ['back in 1970', { kind: 'epoch' }, '1970-01-01T00:00:00.000Z'],
    ['without a zone', { kind: 'no-zone' }, '2026-11-21T12:00:00'],
  ] as const)('timestamps are those of a clock %s', async (_, wrong, timestamp) => {
    await powerUp();
    station.setFaults({ clock: wrong });
    station.plugIn(1, steadyVehicle(60_000));
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(
      central.heard.find((call) => call.action === 'StartTransaction')?.payload.timestamp ??
        central.invalid.map((text) => JSON.parse(text)).find((frame) => frame[2] === 'StartTransaction')?.[3].timestamp,
    ).toBe(timestamp);
  });

  test('a flapping link loses nothing about the charge', async () => {
    await powerUp();
    const transactionId = await startCharge(60_000);
    station.setFaults({ flapping: { upMs: 90_000, downMs: 30_000 } });
    await clock.play(20 * minuteMs);
    station.setFaults({ flapping: null });
    await clock.play(2 * minuteMs);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(central.connections).toBeGreaterThanOrEqual(10);
    expect(registers().map(({ wh }) => wh)).toEqual(Array.from({ length: 22 }, (_, n) => 101_000 + n * 1_000));
    expect(central.of('StopTransaction')).toMatchObject([{ transactionId, meterStop: 122_000 }]);
  });

  test('a meter can run backwards', async () => {
    await powerUp({ faults: { meterRollback: { afterMs: 5 * minuteMs, byWh: 20_000 } } });
    await startCharge(60_000);
    await clock.play(6 * minuteMs);
    expect(registers().map(({ wh }) => wh)).toEqual([101_000, 102_000, 103_000, 104_000, 85_000, 86_000]);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(central.of('StopTransaction')).toMatchObject([{ meterStop: 86_000 }]);
  });

  test('malformed frames are sent among good ones', async () => {
    await powerUp({ faults: { malformedEvery: 2 } });
    await startCharge(60_000);
    await clock.play(30 * minuteMs);
    expect(central.unreadable.length + central.invalid.length).toBeGreaterThan(10);
    expect(central.unreadable.length).toBeGreaterThan(0);
    expect(registers().map(({ wh }) => wh)).toEqual(Array.from({ length: 30 }, (_, n) => 101_000 + n * 1_000));
  });

  test('a silent station sends no heartbeats', async () => {
    await powerUp({ faults: { silent: true } });
    await clock.play(hourMs);
    expect(central.of('Heartbeat')).toEqual([]);
    station.setFaults({ silent: false });
    await clock.play(hourMs);
    expect(central.of('Heartbeat')).toHaveLength(12);
  });

  test('a slow station answers late', async () => {
    await powerUp({ faults: { slowAnswersMs: 20_000 } });
    let answeredAt = 0;
    const answered = central.command('CD-001', 'ClearCache', {}).then((answer) => {
      answeredAt = clock.now();
      return answer;
    });
    expect(await clock.playUntil(() => kinds('frame-received').length > 4, minuteMs)).toBe(true);
    await clock.play(19_000);
    expect(answeredAt).toBe(0);
    await clock.play(2_000);
    expect((await answered).payload).toEqual({ status: 'Accepted' });
  });

  test('a station can refuse remote starts', async () => {
    await powerUp({ faults: { refusesRemoteStart: true } });
    station.plugIn(1);
    const answer = await central.command('CD-001', 'RemoteStartTransaction', { connectorId: 1, idTag: 'CARD-1' });
    expect(answer.payload).toEqual({ status: 'Rejected' });
  });

  test('a station that never boots on reconnect reports what changed and continues', async () => {
    await powerUp({ faults: { noBootOnReconnect: true } });
    await startCharge(60_000);
    station.dropLink(5 * minuteMs);
    station.setConnectorFault(2, { errorCode: 'HighTemperature' });
    await clock.play(10 * minuteMs);
    expect(central.actions().filter((action) => action === 'BootNotification')).toHaveLength(1);
    expect(central.statuses(2)).toEqual(['Available', 'Faulted']);
    expect(central.statuses(1)).toEqual(['Available', 'Preparing', 'Charging']);
    expect(central.of('MeterValues')).toHaveLength(10);
  });

  test('a station can send a wrong transaction id', async () => {
    await powerUp({ faults: { wrongTransactionId: 0 } });
    await startCharge(60_000);
    await clock.play(minuteMs);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    expect(central.of('StopTransaction')).toMatchObject([{ transactionId: 0 }]);
  });
});
