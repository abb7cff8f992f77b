import { buffer } from 'node:stream/consumers';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { xlsxStream } from '@voltdeck/server/http/xlsx';
import { expect, test } from 'vitest';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

const stations = 3_000;
/** Held by the test, so that the first attempt stops in the middle of its stations. */
const middleLock = 4_713;
const holdMiddle = `
  create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${middleLock}); return new; end $$;
  create trigger wait_for_test before insert on stations
    for each row when (new.number = 'KILLED-2000') execute function wait_for_test()`;
const waitingInserts = `
  from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where datname = current_database() and locktype = 'advisory' and objid = ${middleLock} and not granted`;

type Task = { state: string; doneCount: number; file: { sizeBytes: number } | null };

function workbook(): Promise<Buffer> {
  const row = (index: number) => ({
    充电桩编号: `KILLED-${index}`,
    充电桩名称: `${index} 号桩`,
    充电桩类型: '快充',
    设备类型: '四轮',
    站点: 'Site lake',
    枪口数: '2',
    '最大功率(kW)': '120',
  });
  const rows = Array.from({ length: stations }, (_, index) => row(index + 1));
  const heads = Object.keys(row(1)) as (keyof ReturnType<typeof row>)[];
  async function* batches() {
    yield rows;
  }
  const columns = heads.map((head) => ({
    head,
    widthCharacters: 12,
    cell: (one: ReturnType<typeof row>) => ({ text: one[head] }),
  }));
  return buffer(xlsxStream('Stations', columns, batches()));
}

test('an import interrupted by killing the server leaves nothing half done, and the next server adds all of it once', async () => {
  const database = await freshDatabase();
  const product = await startMortalProduct(database.url);
  await makePlace(database, null, 'lake');
  const count = async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int as count from stations where number like 'KILLED-%'`,
    );
    return rows[0].count as number;
  };
  const api = await product.signIn();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await workbook())]), 'new.xlsx');
  const checked = await api.post<{ id: number; goodCount: number }>('/station-imports', form);
  expect(checked.goodCount).toBe(stations);

  await database.pool.query(holdMiddle);
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [middleLock]);
  const { taskId } = await api.post<{ taskId: number }>(`/station-imports/${checked.id}/starts`);
  await until(
    'two thousand stations are being written',
    async () => (await holder.query(`select pid ${waitingInserts}`)).rows.length > 0,
    120_000,
  );
  await product.kill9();
  // The database is still working on the killed process's query.
  await holder.query(`select pg_terminate_backend(pid) ${waitingInserts}`);
  await holder.query('drop trigger wait_for_test on stations');
  await holder.query('select pg_advisory_unlock($1)', [middleLock]);
  holder.release();
  expect(await count()).toBe(0);

  await product.startAgain();
  const again = await product.signIn();
  const done = await until(
    'the import has ended',
    async () => {
      const task = await again.get<Task>(`/tasks/${taskId}`);
      return task.state === 'running' || task.state === 'waiting' ? null : task;
    },
    120_000,
  );
  expect(done).toMatchObject({ state: 'done', doneCount: stations, file: { sizeBytes: expect.any(Number) } });
  expect(await count()).toBe(stations);
  const { rows } = await database.pool.query(
    `select count(*)::int as entries from audit_entries where action = 'station.create' and after->>'number' like 'KILLED-%'`,
  );
  expect(rows).toEqual([{ entries: stations }]);
  expect(product.errors).toEqual([]);
  await product.stop();
});
