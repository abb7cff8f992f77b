import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Database, openDatabase } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { logTo } from '@voltdeck/server/open-log';
import { keepSales } from '@voltdeck/server/statistics/keep-sales';
import { countDifferences } from '@voltdeck/server/statistics/mend-sales';
import { askRebuild, rebuildSales } from '@voltdeck/server/statistics/rebuild-sales';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dice, seedOfRun } from './dice.ts';

const seed = seedOfRun('killed worker, sums of sales');
/** SALES_KILLS=50 for the whole proof; the ordinary run has time for a few. */
const kills = Number(process.env.SALES_KILLS ?? 4);
const days = 6;
const main = new URL('./sales-worker-main.ts', import.meta.url);

let database: Database;
let url: string;
beforeAll(async () => {
  const fresh = await freshDatabase();
  url = fresh.url;
  database = openDatabase(url);
});
afterAll(() => database.close());

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const daysBack = () =>
  Array.from({ length: days + 1 }, (_, back) => shanghaiDate(instant(Date.now() - (back - 1) * dayMs)));

async function differing(): Promise<number> {
  let sum = 0;
  for (const day of daysBack()) {
    let found = await countDifferences(database.db, day);
    // The database is still ending what the killed process had begun.
    for (let tries = 0; found === null && tries < 100; tries += 1) {
      await pause(100);
      found = await countDifferences(database.db, day);
    }
    sum += found ?? Number.NaN;
  }
  return sum;
}

test(
  'a process that is killed while it settles, refunds and keeps sums leaves them as the orders say, every time',
  async () => {
    const chance = dice(seed);
    const place = JSON.stringify(await makePlace(database, null, 'killed'));
    for (let kill = 0; kill < kills; kill += 1) {
      const days = daysBack();
      await askRebuild(database.db, {
        fromOn: days.at(-1) ?? '',
        toOn: days[0] ?? '',
        because: 'asked',
        userId: null,
        at: instant(Date.now()),
      });
      const worker = fork(main, [url, String(chance.whole(1, 1_000_000)), place]);
      await Promise.race([
        once(worker, 'message'),
        once(worker, 'exit').then(([code]) => Promise.reject(new Error(`the worker ended with ${code}`))),
      ]);
      await pause(chance.whole(0, 400));
      worker.kill('SIGKILL');
      if (worker.signalCode === null) await once(worker, 'exit');
      expect(await differing(), `after kill ${kill + 1}`).toBe(0);
    }
    while ((await keepSales(database.db)).left !== 'nothing') await pause(50);
    while (
      (await rebuildSales({ db: database.db, log: logTo(process.stderr), now: () => instant(Date.now()) })) !== null
    )
      await pause(0);
    expect(await differing()).toBe(0);
    const { rows } = await database.pool.query(
      `select (select count(*)::int from orders where state = 'completed') as orders,
              (select sum(orders)::int from sale_site_months) as months, (select sum(orders)::int from sale_port_hours) as hours,
              (select sum(paid_fen - refunded_fen)::int from orders) as received,
              (select sum(paid_fen - refunded_fen)::int from sale_port_months) as kept`,
    );
    const [sums] = rows;
    expect(sums.orders).toBeGreaterThan(kills);
    expect(sums).toMatchObject({ months: sums.orders, hours: sums.orders, kept: sums.received });
    console.log(`  ${kills} kills, ${sums.orders} charges settled, every sum as the orders say`);
  },
  60_000 + kills * 20_000,
);
