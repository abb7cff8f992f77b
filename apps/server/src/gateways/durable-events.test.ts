import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { StationId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStation, type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';

const waiting = { timeout: 30_000 };

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

/** Locks rows that the journal wants to change, so that its entries are not durable until `release`. */
async function holdRows(
  sql: string,
  values: unknown[],
): Promise<{ isWaitedFor(): Promise<boolean>; release(): Promise<void> }> {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query(sql, values);
  return {
    async isWaitedFor() {
      const { rows } = await database.pool.query<{ waiting: boolean }>(
        `select exists (select 1 from pg_stat_activity
                         where datname = current_database() and wait_event_type = 'Lock') as waiting`,
      );
      return rows[0]?.waiting ?? false;
    },
    async release() {
      await client.query('commit');
      client.release();
    },
  };
}

function listen(stationId: StationId): { heard: ConsoleEvent[]; stop(): void } {
  const heard: ConsoleEvent[] = [];
  const stop = floor.context.bus.subscribe(({ event }) => {
    if ('stationId' in event && event.stationId === stationId) heard.push(event);
    if (event.kind === 'order-changed') heard.push(event);
  });
  return { heard, stop };
}

test('consoles receive a port’s change only when it is durable', async () => {
  const { id } = await floor.addStation('DURABLE-PORT');
  const station = await connectStation(floor, 'DURABLE-PORT');
  await station.call('Heartbeat', {});
  const { heard, stop } = listen(id);
  const held = await holdRows('select 1 from connectors where station_id = $1 for update', [id]);
  const answered = station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
  try {
    await expect.poll(() => held.isWaitedFor(), waiting).toBe(true);
    expect(heard).toEqual([]);
  } finally {
    await held.release();
  }
  await answered;
  await expect.poll(() => heard.map(({ kind }) => kind), waiting).toContain('connector-changed');
  stop();
  await station.end();
});

test('consoles receive a station’s arrival and departure only when they are durable', async () => {
  const { id } = await floor.addStation('DURABLE-COME');
  const { heard, stop } = listen(id);
  const onHold = () => holdRows('select 1 from stations where id = $1 for update', [id]);
  const told = () => heard.flatMap((event) => (event.kind === 'station-changed' ? [event.online] : []));
  const arrival = await onHold();
  const station = await connectStation(floor, 'DURABLE-COME');
  try {
    await expect.poll(() => arrival.isWaitedFor(), waiting).toBe(true);
    expect(told()).toEqual([]);
  } finally {
    await arrival.release();
  }
  await expect.poll(told, waiting).toEqual([true]);
  const departure = await onHold();
  await station.end();
  try {
    await expect.poll(() => departure.isWaitedFor(), waiting).toBe(true);
    expect(told()).toEqual([true]);
  } finally {
    await departure.release();
  }
  await expect.poll(told, waiting).toEqual([true, false]);
  stop();
});

test('consoles receive only durable figures of a running order', async () => {
  const { id } = await floor.addStation('DURABLE-ORDER');
  await floor.addCard('DURABLE-CARD', 10_000);
  const station = await connectStation(floor, 'DURABLE-ORDER');
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: 'DURABLE-CARD',
    meterStart: 0,
    timestamp: new Date().toISOString(),
  });
  const { heard, stop } = listen(id);
  const energies = () => heard.flatMap((event) => (event.kind === 'order-changed' ? [event.energyWh] : []));
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('lock table readings in share mode');
  // Long enough after the start that a running order is published again (publishEveryMs).
  floor.clock.now = instant(Date.now() + 5_000);
  const answered = station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: new Date(Date.now() + 1_000).toISOString(), sampledValue: [{ value: '1500' }] }],
  });
  try {
    const lockWaits = () =>
      database.pool
        .query(
          `select 1 from pg_locks where relation = 'readings'::regclass and not granted
              and database = (select oid from pg_database where datname = current_database())`,
        )
        .then(({ rowCount }) => rowCount);
    await expect.poll(lockWaits, waiting).toBe(1);
    expect(energies()).not.toContain(1_500);
  } finally {
    await client.query('commit');
    client.release();
    floor.clock.now = null;
  }
  await answered;
  await expect.poll(energies, waiting).toContain(1_500);
  stop();
  await station.end();
});
