import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makeOrder, makePlace } from '@voltdeck/server/http/test-records';
import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { dice, seedOfRun } from './dice.ts';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

const seed = seedOfRun('invoices, killed server');
const kills = Number(process.env.INVOICE_KILLS ?? 3);
const invoicesEach = 12;
/** Whoever was asked when the server died is asked about again after a quarter of a minute, by a job of every minute. */
const foundOutMs = 180_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('a server killed at random moments while invoices are issued issues each of them once, with one document', async () => {
  const database = await freshDatabase();
  const product = await startMortalProduct(database.url);
  const chance = dice(seed);
  const place = await makePlace(database, null, 'killed');
  await database.pool.query('update sites set invoice_available = true');
  let api = await product.signIn();
  const passed: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const ids: number[] = [];
    for (let index = 0; index < invoicesEach; index += 1) {
      const orderIds = [await makeOrder(database, place, instant(Date.now()))];
      const title = { titleKind: 'personal', title: `Driver ${kill}-${index}` };
      ids.push((await api.post<{ id: number }>('/invoices', { orderIds, ...title })).id);
    }
    await api.post('/invoices/reviews', { ids, decision: 'pass' });
    passed.push(...ids);
    await pause(chance.whole(0, 600));
    await product.kill9();
    await product.startAgain();
    api = await product.signIn();
  }
  const stateOf = async () =>
    (
      await database.pool.query<{ state: string; count: number }>(
        'select state, count(*)::integer as count from invoices group by state order by state',
      )
    ).rows;
  await until(
    'every invoice is issued',
    async () => {
      expect(await stateOf()).toEqual([{ state: 'invoiced', count: passed.length }]);
      return true;
    },
    foundOutMs,
  );
  const { rows } = await database.pool.query(`
    select (select count(*)::integer from embedded_invoices) as requests,
           (select count(distinct invoice_number)::integer from invoices) as numbers,
           (select count(distinct document_file_id)::integer from invoices) as documents,
           (select count(*)::integer from files where purpose = 'invoice') as files,
           (select count(*)::integer from invoice_events where event = 'issue') as told`);
  const once = passed.length;
  expect(rows, `seed ${seed}`).toEqual([{ requests: once, numbers: once, documents: once, files: once, told: once }]);
  const [first] = passed;
  expect((await api.ask('GET', `/invoices/${first}`)).data).toMatchObject({ state: 'invoiced', hasDocument: true });
  await product.stop();
  expect(product.errors).toEqual([]);
}, 600_000);
