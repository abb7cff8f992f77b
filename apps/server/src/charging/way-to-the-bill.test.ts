import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import type { DecidedEvent } from '@voltdeck/charging/station-event';
import { wattHours } from '@voltdeck/units/energy';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { freshDatabase } from '../database/test-database.ts';
import { onStationEvent } from './on-station-event.ts';
import { loadStationSession } from './station-session.ts';
import { openFloor } from './test-charging-floor.ts';

/** Folders of the server that know what a charge or an order is. */
const rooms = /\/apps\/server\/src\/(?:charging|orders)\//;
const filesMax = 11;

/** The files with a function called during `act`, by the engine's call counts. */
async function filesEnteredBy(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Taking the counts resets them.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  // An unnamed function reads an export for the test runner, or was passed by a function that counts itself.
  const wasCalled = ({ functionName, ranges }: Profiler.FunctionCoverage) =>
    functionName !== '' && (ranges[0]?.count ?? 0) > 0;
  const entered = result.filter(({ functions }) => functions.some(wasCalled));
  const paths = entered.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url));
  return paths.filter((path) => rooms.test(path) && !/\.test\.ts$|\/test-[^/]+\.ts$/.test(path)).sort();
}

test(`a stop reaches its bill through at most ${filesMax} files of charging and orders`, async () => {
  const database = await freshDatabase();
  const floor = await openFloor(database);
  const station = await floor.addStation('S1');
  await floor.addCard('A000000000000001', 20_000);
  const stationId = station.id;
  const session = await loadStationSession(database, {
    id: stationId,
    number: 'S1',
    siteId: floor.siteId,
    agentId: null,
  });
  const start = instant(Date.parse('2026-11-20T06:30:00+08:00'));
  const end = instant(start + 2 * hourMs);
  const say = (event: DecidedEvent, at: Instant) => onStationEvent(floor.context.on('money'), session, event, at);
  const begun = await say(
    {
      kind: 'charge-started',
      connectorNumber: 1,
      cardNumber: 'A000000000000001',
      meterStartWh: wattHours(1_000),
      at: start,
      stationTime: toIso(start),
    },
    start,
  );
  if (begun.kind !== 'charge-started') throw new Error(`answered ${begun.kind}`);
  const files = await filesEnteredBy(() =>
    say(
      {
        kind: 'charge-stopped',
        transaction: begun.transactionNumber,
        cardNumber: 'A000000000000001',
        meterStopWh: wattHours(121_000),
        at: end,
        stationTime: toIso(end),
        reason: 'local',
        readings: [],
      },
      end,
    ),
  );
  const order = await database.db.selectFrom('orders').select(['state', 'amount_fen']).executeTakeFirstOrThrow();
  expect(order).toEqual({ state: 'completed', amount_fen: 12_900 });
  const names = files.map((path) => path.split('/src/').at(-1));
  expect(names).toContain('charging/on-station-event.ts');
  expect(names).toContain('orders/settle-charge.ts');
  expect(names.length, names.join('\n')).toBeLessThanOrEqual(filesMax);
  await floor.close();
});
