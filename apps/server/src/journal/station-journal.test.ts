import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { StationJournal } from './station-journal.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

test('what was added later is told later, even where it becomes durable first', async () => {
  const { id, connectorIds } = await floor.addStation('ORDER-1');
  const [connectorId] = connectorIds;
  if (connectorId === undefined) throw new Error('a station without a port');
  const journal = new StationJournal(database.pool, pino({ level: 'silent' }));
  const told: string[] = [];
  const at = floor.context.now();
  const holder = await database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from stations where id = $1 for update', [id]);
  try {
    journal.add({
      stationChange: { stationId: id, online: true, at, remoteAddress: null },
      onStored: () => told.push('online'),
    });
    // It hangs on the held row, so that the next entry goes into a transaction of its own.
    await vi.waitFor(() => expect(journal.backlog).toBe(0), { timeout: 30_000, interval: 5 });
    journal.add({
      connectorChanges: [{ connectorId, state: 'free', at, faultCode: null, faultInfo: null }],
      onStored: () => told.push('free'),
    });
    const stateOf = async () =>
      (await database.pool.query('select state from connectors where id = $1', [connectorId])).rows;
    await vi.waitFor(async () => expect(await stateOf()).toEqual([{ state: 'free' }]), {
      timeout: 30_000,
      interval: 5,
    });
    expect(told).toEqual([]);
  } finally {
    await holder.query('commit');
    holder.release();
  }
  await journal.drained();
  expect(told).toEqual(['online', 'free']);
  await journal.close();
});

test('a batch without exchanges is stored while somebody watches the log', async () => {
  const { id } = await floor.addStation('WATCHED-1');
  const audience = { areExchangesWatched: () => true, tellExchanges: () => {} };
  const journal = new StationJournal(database.pool, pino({ level: 'silent' }), audience);
  const stored = Promise.withResolvers<string>();
  journal.add({
    stationChange: { stationId: id, online: true, at: floor.context.now(), remoteAddress: null },
    onStored: () => stored.resolve('stored'),
    onLost: () => stored.resolve('lost'),
  });
  expect(await stored.promise).toBe('stored');
  const { rows } = await database.pool.query('select online from stations where id = $1', [id]);
  expect(rows).toEqual([{ online: true }]);
  await journal.close();
});
