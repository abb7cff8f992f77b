import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { expect, test } from 'vitest';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

const orders = 20_000;
/** Held by the test, so that the first attempt cannot finish even on a fast machine. */
const endLock = 4_711;
const holdEnds = `
  create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${endLock}); return new; end $$;
  create trigger wait_for_test before update on tasks
    for each row when (new.state = 'done') execute function wait_for_test()`;
const waitingEnds = `
  from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where datname = current_database() and locktype = 'advisory' and objid = ${endLock} and not granted`;

type Task = {
  id: number;
  state: string;
  doneCount: number;
  totalCount: number | null;
  file: { sizeBytes: number } | null;
};

test('an export interrupted by killing the server is resumed by the next one and becomes the whole file', async () => {
  const database = await freshDatabase();
  const product = await startMortalProduct(database.url);
  const place = await makePlace(database, null, 'lake');
  await database.pool.query(
    `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                         connector_id, connector_number, placed_at)
     select 'K' || g, 'completed', 'paid', 'card', 'card', 'energy', $1, $2, $3, 1, now() - g * interval '1 minute'
       from generate_series(1, $4) g`,
    [place.siteId, place.stationId, place.connectorId, orders],
  );
  const api = await product.signIn();
  await database.pool.query(holdEnds);
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [endLock]);
  const { id } = await api.post<Task>('/tasks/exports', { list: 'listOrders', query: {} });
  await until(
    'every row is written and the export about to end',
    async () => (await holder.query(`select pid ${waitingEnds}`)).rows.length > 0,
    120_000,
  );
  await product.kill9();
  // The database is still working on the killed process's query.
  await holder.query(`select pg_terminate_backend(pid) ${waitingEnds}`);
  await holder.query('drop trigger wait_for_test on tasks');
  await holder.query('select pg_advisory_unlock($1)', [endLock]);
  holder.release();
  const left = await database.pool.query('select state, attempts from tasks');
  expect(left.rows).toEqual([{ state: 'running', attempts: 1 }]);

  await product.startAgain();
  const again = await product.signIn();
  const done = await until(
    'the export has ended',
    async () => {
      const task = await again.get<Task>(`/tasks/${id}`);
      return task.state === 'running' || task.state === 'waiting' ? null : task;
    },
    120_000,
  );
  expect(done).toMatchObject({ state: 'done', doneCount: orders, totalCount: orders });
  const { rows } = await database.pool.query('select attempts from tasks');
  expect(rows).toEqual([{ attempts: 2 }]);
  expect(done.file?.sizeBytes).toBeGreaterThan(orders * 5);
  expect(product.errors).toEqual([]);
  await product.stop();
});
