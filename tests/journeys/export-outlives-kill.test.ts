import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { expect, test } from 'vitest';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

const orders = 60_000;

type Task = {
  id: number;
  state: string;
  doneCount: number;
  totalCount: number | null;
  file: { sizeBytes: number } | null;
};

test('an export that a killed server was at is taken up by the next one and becomes the whole file', async () => {
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
  const { id } = await api.post<Task>('/tasks/exports', { list: 'listOrders', query: {} });
  await until('rows are being written', async () => (await api.get<Task>(`/tasks/${id}`)).doneCount > 0, 30_000);
  await product.kill9();
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
    60_000,
  );
  expect(done).toMatchObject({ state: 'done', doneCount: orders, totalCount: orders });
  const { rows } = await database.pool.query('select attempts from tasks');
  expect(rows).toEqual([{ attempts: 2 }]);
  expect(done.file?.sizeBytes).toBeGreaterThan(orders * 5);
  expect(product.errors).toEqual([]);
  await product.stop();
});
