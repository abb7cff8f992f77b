import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { admissionLimits } from './admission.ts';
import { RegisteredStations } from './registered-stations.ts';
import { knock } from './test-knock.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

test('a storm of stations and strangers is looked up in a few statements, and each gets its own answer', async () => {
  for (const number of ['STORM-1', 'STORM-2']) await floor.addStation(number);
  let statements = 0;
  const counting = database.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const registered = new RegisteredStations(counting);
  const numbers = Array.from({ length: 500 }, (_, each) => `STRANGER-${each}`);
  numbers.splice(250, 0, 'STORM-1', 'STORM-2', 'STORM-1');
  const found = await Promise.all(numbers.map((number) => registered.find(number)));
  expect(found.map((row) => row?.number ?? null)).toEqual(
    numbers.map((number) => (number.startsWith('STORM') ? number : null)),
  );
  expect(statements).toBeLessThanOrEqual(4);
});

test('a failing statement fails its own look-ups only, and the next one is sent', async () => {
  await floor.addStation('AFTER-1');
  const holding = await database.pool.connect();
  await holding.query('begin');
  await holding.query('lock table stations in access exclusive mode');
  const registered = new RegisteredStations(database.db);
  const failed = expect(registered.find('AFTER-1')).rejects.toThrow('cancel');
  const second = registered.find('AFTER-1');
  const blocked = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"stations"%'`,
    );
    return rows[0]?.pid;
  };
  await expect.poll(blocked, { timeout: 30_000 }).toBeTypeOf('number');
  await database.pool.query('select pg_cancel_backend($1)', [await blocked()]);
  await failed;
  await holding.query('commit');
  holding.release();
  expect((await second)?.number).toBe('AFTER-1');
});

test('a station that signed in before the last start does not queue with strangers of its address', async () => {
  const { id } = await floor.addStation('BEFORE-1');
  await floor.addStation('NEVER-1');
  await database.pool.query('update stations set last_seen_at = now() where id = $1', [id]);
  const admission = { ...admissionLimits, failuresPerMinute: 0, suspectRestMs: 24_000 };
  const restarted = await openFloor(database, undefined, { ocpp: { admission } });
  const never = knock(`${restarted.url}NEVER-1`).catch(() => null);
  const before = await Promise.race([
    knock(`${restarted.url}BEFORE-1`),
    new Promise((resolve) => setTimeout(resolve, 20_000, 'queues')),
  ]);
  expect(before).toMatchObject({ status: 101 });
  await restarted.close();
  await never;
});
