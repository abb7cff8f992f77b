import { describe, expect, test } from 'vitest';
import { liveClock, scriptedClock } from './clock.ts';
import { arrivalsPerHour, arrivalsPerHourMax, drawVisit } from './drivers.ts';
import { type FleetStation, startFleet } from './fleet.ts';
import { seeded } from './seeded.ts';
import type { StationNews } from './station-news.ts';
import { openCentralSystem } from './test-central-system.ts';
import { openPlatform } from './ykc/test-platform.ts';

const noon = Date.UTC(2026, 10, 21, 4);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const someStations = (count: number): FleetStation[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = (['dc', 'ac', 'two-wheel'] as const)[index % 3] ?? 'dc';
    return {
      number: `ST-${String(index + 1).padStart(4, '0')}`,
      password: 'correct horse 12',
      connectors: kind === 'two-wheel' ? 10 : 2,
      kind,
      maxPowerKw: kind === 'dc' ? 120 : kind === 'ac' ? 7 : 1,
    };
  });
const someCards = (count: number) => Array.from({ length: count }, (_, index) => `CARD-${index + 1}`);

describe('drivers', () => {
  test('drivers arrive most around the hours of their kind and never more than the maximum', () => {
    const at = (hour: number) => Date.UTC(2026, 10, 21, hour - 8);
    expect(arrivalsPerHour('dc', at(12))).toBeGreaterThan(2 * arrivalsPerHour('dc', at(4)));
    expect(arrivalsPerHour('two-wheel', at(19))).toBeGreaterThan(5 * arrivalsPerHour('two-wheel', at(10)));
    for (const kind of ['dc', 'ac', 'two-wheel'] as const) {
      const day = Array.from({ length: 24 }, (_, hour) => arrivalsPerHour(kind, at(hour)));
      expect(Math.max(...day)).toBe(arrivalsPerHourMax(kind));
      expect(Math.min(...day)).toBeGreaterThan(0);
    }
  });

  test('drivers stay shorter when in a hurry', () => {
    expect(drawVisit('ac', seeded(1), 10).backAfterMs).toBeCloseTo(drawVisit('ac', seeded(1)).backAfterMs / 10);
  });
});

describe('a fleet', () => {
  test('a fleet lives a working day: every started charge is stopped once, and no card is at two connectors', async () => {
    const clock = scriptedClock(noon);
    const central = await openCentralSystem();
    const fleet = startFleet({
      url: central.url,
      stations: someStations(12),
      cards: someCards(60),
      seed: 7,
      speed: 4,
      clock,
    });
    const running = new Map<string, string>();
    let together = 0;
    let started = 0;
    fleet.on((news: StationNews) => {
      if (news.kind === 'charge-started') {
        started += 1;
        if ([...running.values()].includes(news.card)) together += 1;
        running.set(`${news.station}/${news.connectorNumber}`, news.card);
      }
      if (news.kind === 'charge-ended') running.delete(`${news.station}/${news.connectorNumber}`);
    });
    await clock.play(6 * hourMs);
    expect(started).toBeGreaterThan(80);
    expect(together).toBe(0);
    await fleet.stop();
    expect(clock.pendingTimers()).toBe(0);

    const numbers = central.of('StopTransaction').map(({ transactionId }) => transactionId);
    const offline = fleet.stations.filter((station) => !station.isDelivered).length;
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(started - numbers.length).toBeLessThanOrEqual(offline * 10);
    const reasons = new Set(central.of('StopTransaction').map(({ reason }) => reason));
    expect([...reasons]).toEqual(expect.arrayContaining(['Local', 'EVDisconnected', 'Other']));
    const statuses = new Set(central.of('StatusNotification').map(({ status }) => status));
    expect([...statuses].sort()).toEqual(
      ['Available', 'Charging', 'Faulted', 'Finishing', 'Preparing', 'SuspendedEV'].sort(),
    );
    expect(central.invalid).toEqual([]);
    await central.close();
  }, 180_000);

  test('a fleet repeats the same day with the same seed', async () => {
    const day = async (seed: number) => {
      const clock = scriptedClock(noon);
      const central = await openCentralSystem();
      const fleet = startFleet({
        url: central.url,
        stations: someStations(6),
        cards: someCards(40),
        seed,
        speed: 6,
        clock,
      });
      const told: string[] = [];
      fleet.on((news) => {
        if (news.kind === 'charge-started' || news.kind === 'charge-ended') told.push(JSON.stringify(news));
      });
      await clock.play(4 * hourMs);
      await fleet.stop();
      await central.close();
      return told;
    };
    const first = await day(3);
    expect(first.length).toBeGreaterThan(20);
    expect(await day(3)).toEqual(first);
    expect(await day(4)).not.toEqual(first);
  }, 180_000);

  test('a fleet keeps about the requested number of charges running, at any hour, or none at all', async () => {
    const night = Date.UTC(2026, 10, 20, 19);
    const runningWith = async (chargesAtOnce: number) => {
      const clock = scriptedClock(night);
      const central = await openCentralSystem();
      const options = { seed: 11, speed: 5, troubles: false, clock, chargesAtOnce };
      const fleet = startFleet({ url: central.url, stations: someStations(18), cards: someCards(80), ...options });
      const counts: number[] = [];
      await clock.play(10 * minuteMs);
      for (let minute = 0; minute < 60; minute += 1) {
        await clock.play(minuteMs);
        counts.push(
          fleet.stations.flatMap(({ connectors }) => connectors).filter(({ charge }) => charge !== null).length,
        );
      }
      await fleet.stop();
      await central.close();
      return counts;
    };
    const busy = await runningWith(15);
    expect(Math.min(...busy)).toBeGreaterThanOrEqual(9);
    expect(Math.max(...busy)).toBeLessThanOrEqual(15);
    expect(Math.max(...(await runningWith(0)))).toBe(0);
  }, 180_000);

  test('a fleet sends a driver after a remote start, who plugs in and leaves again', async () => {
    const clock = scriptedClock(Date.UTC(2026, 10, 20, 19));
    const central = await openCentralSystem();
    const fleet = startFleet({
      url: central.url,
      stations: [{ number: 'ST-1', connectors: 1, kind: 'dc', maxPowerKw: 60 }],
      cards: ['CARD-1'],
      seed: 1,
      speed: 0.001,
      troubles: false,
      clock,
    });
    await clock.play(minuteMs);
    await central.command('ST-1', 'RemoteStartTransaction', { connectorId: 1, idTag: 'CARD-1' });
    await clock.play(2 * minuteMs);
    expect(central.of('StartTransaction')).toMatchObject([{ idTag: 'CARD-1' }]);
    const transactionId = fleet.stations[0]?.connector(1).charge?.transactionId;
    await central.command('ST-1', 'RemoteStopTransaction', { transactionId });
    await clock.play(8 * hourMs);
    expect(central.of('StopTransaction')).toMatchObject([{ reason: 'Remote' }]);
    expect(central.statuses(1).at(-1)).toBe('Available');
    await fleet.stop();
    await central.close();
  });

  test('a fleet in real time connects every station, charges at once, and leaves no timer or socket behind', async () => {
    const before = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const clock = liveClock({ factor: 20 });
    const central = await openCentralSystem();
    const fleet = startFleet({
      url: central.url,
      stations: someStations(30),
      cards: someCards(200),
      seed: 5,
      speed: 6,
      troubles: false,
      clock,
    });
    const [isBusy, becomeBusy] = settling();
    fleet.on(() => {
      const online = fleet.stations.filter((station) => station.isOnline).length;
      if (online === 30 && central.of('MeterValues').length > 5) becomeBusy();
    });
    await isBusy;
    await fleet.stop();
    expect(clock.pendingTimers()).toBe(0);
    await expect.poll(() => central.of('StopTransaction').length).toBe(central.of('StartTransaction').length);
    await central.close();
    expect(process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length).toBeLessThanOrEqual(before);
  }, 180_000);

  test('a fleet that speaks YKC charges behind concentrators, prices by its own model, and owes nothing when it stops', async () => {
    const clock = scriptedClock(noon);
    const platform = await openPlatform();
    const fleet = startFleet({
      url: platform.url,
      stations: Array.from({ length: 6 }, (_, index) => ({
        number: String(44030601000001 + index),
        connectors: index % 3 === 2 ? 1 : 2,
        kind: index % 3 === 2 ? 'ac' : 'dc',
        maxPowerKw: index % 3 === 2 ? 7 : 120,
        identity: { chargePointVendor: 'Lanmo', chargePointModel: 'LM-F120', firmwareVersion: '1.8.3', iccid: '8986' },
      })),
      stationsPerSocket: 3,
      cards: Array.from({ length: 40 }, (_, index) => (0xa000 + index).toString(16)),
      seed: 7,
      speed: 6,
      chargesAtOnce: 5,
      troubles: false,
      clock,
    });
    await clock.play(hourMs);
    await fleet.stop();
    expect(clock.pendingTimers()).toBe(0);
    expect(platform.connections).toBe(2);
    const begun = platform.of('charge-application').length;
    const records = new Set(platform.of('transaction-record').map(({ tradeNo }) => tradeNo));
    expect(begun).toBeGreaterThan(10);
    expect(records.size).toBe(begun);
    expect(fleet.stations.every(({ isDelivered }) => isDelivered)).toBe(true);
    expect(platform.of('login')[0]).toMatchObject({ softwareVersion: 'V1.8.3', sim: '8986'.padStart(20, '0') });
    expect(platform.faults).toBe(0);
    await platform.close();
  }, 180_000);

  test('a fleet without cards or with a speed of zero is refused', () => {
    const options = { url: 'ws://127.0.0.1:1/ocpp', stations: [], cards: ['A'], seed: 1 };
    expect(() => startFleet({ ...options, cards: [] })).toThrow(RangeError);
    expect(() => startFleet({ ...options, speed: 0 })).toThrow(RangeError);
  });
});

function settling(): [Promise<void>, () => void] {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return [promise, () => settle()];
}
