import { wattHours, watts } from '@voltdeck/units/energy';
import { dayMs, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { dropOldPartitions } from '../jobs/keep-time.ts';
import { readCurve } from './curve.ts';
import { keepCurves, keptPointsMax } from './keep-curves.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
/** A Tuesday, well past the retention. */
const longAgo = instant(Date.parse('2025-09-16T04:00:00Z'));
const partition = 'readings_20250915';

let database: Database;
let place: Place;
beforeAll(async () => {
  database = await freshDatabase();
  place = await makePlace(database, null, 'curves');
});

/** An order with `count` readings at one every fifteen seconds, in a partition of its week. */
async function charged(count: number) {
  await sql`select make_partitions('readings', interval '7 days', to_timestamp(${longAgo / 1_000}),
    to_timestamp(${(longAgo + dayMs) / 1_000}))`.execute(database.db);
  const id = await makeOrder(database, place, longAgo);
  await database.db
    .insertInto('readings')
    .values(
      Array.from({ length: count }, (_, index) => ({
        order_id: id,
        at: instant(longAgo + index * 15 * secondMs),
        connector_id: place.connectorId,
        energy_wh: wattHours(1_000 + index * 250),
        power_w: watts(60_000 + (index % 7) * 100),
        received_at: now,
      })),
    )
    .execute();
  return id;
}

test('an order keeps a thinned curve when its readings are dropped after their retention', async () => {
  const id = await charged(600);
  await charged(3);
  const before = await readCurve(database.db, id, now);
  expect((await dropOldPartitions(database.db, now)).left).toEqual([]);
  const { rows } = await sql<{ gone: boolean }>`select to_regclass(${partition}) is null as gone`.execute(database.db);
  expect(rows).toEqual([{ gone: true }]);
  const after = await readCurve(database.db, id, now);
  expect(after.source).toBe('curve');
  expect(after.points.length).toBeLessThanOrEqual(keptPointsMax);
  expect(after.points.length).toBeGreaterThan(keptPointsMax / 2);
  expect(after.points[0]).toEqual(before.points[0]);
  expect(after.points.at(-1)).toEqual(before.points.at(-1));
});

test('a partition stays until every order has its curve, and the next run continues', async () => {
  const id = await charged(10);
  const isDone = await keepCurves(database.db, partition, { now, isOver: () => true });
  expect(isDone).toBe(false);
  expect(await keepCurves(database.db, partition, { now, isOver: () => false })).toBe(true);
  const kept = await database.db.selectFrom('order_curves').select('order_id').where('order_id', '=', id).execute();
  expect(kept).toHaveLength(1);
});

test('the parameter says how many days readings are kept', async () => {
  const recent = instant(now - 60 * dayMs);
  await sql`select make_partitions('readings', interval '7 days', to_timestamp(${recent / 1_000}),
    to_timestamp(${(recent + minuteMs) / 1_000}))`.execute(database.db);
  const partitions = async () =>
    (
      await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'readings'::regclass and inhrelid::regclass::text <> 'readings_stray'`.execute(database.db)
    ).rows.length;
  await dropOldPartitions(database.db, now);
  const kept = await partitions();
  await sql`insert into configs (key, name, value) values ('readings_kept_days', 'days', '40')
    on conflict (key) do update set value = excluded.value`.execute(database.db);
  await dropOldPartitions(database.db, now);
  expect(await partitions()).toBeLessThan(kept);
});
