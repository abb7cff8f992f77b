import { freshDatabase } from '@voltdeck/server/database/test-database';
import { expect, test } from 'vitest';
import { dice, seedOfRun } from './dice.ts';
import { drawAct, isOfChecker, type MoneyAct, send } from './money-acts.ts';
import { appliedKeys, brokenRules, unknownOutcomes } from './money-books.ts';
import { addOrders, openMoneyWorld, refreshWorld } from './money-world.ts';
import { startMortalProduct } from './product.ts';
import { until } from './until.ts';

const seed = seedOfRun('money, killed server');
/** MONEY_KILLS=100 for the whole proof; the ordinary run has time for a few. */
const kills = Number(process.env.MONEY_KILLS ?? 4);
const clients = 8;
const actsEach = 12;
/** Some runs of the job that asks. */
const foundOutMs = 180_000;

/** Acts whose key is written into the record that they make. */
const recorded: ReadonlySet<MoneyAct['what']> = new Set(['recharge', 'gift', 'deductGift', 'applyForWithdrawal']);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('a server killed at random moments under money operations loses nothing that it acknowledged and leaves nothing half done', async () => {
  const startedAt = performance.now();
  const database = await freshDatabase();
  const product = await startMortalProduct(database.url);
  const chance = dice(seed);
  const { world, asker, checker } = await openMoneyWorld(product, database, chance);
  let acknowledged = 0;
  let unanswered = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await addOrders(database, world, chance);
    const stories = Array.from({ length: clients }, (_, client) =>
      Array.from({ length: actsEach }, (_, index) => drawAct(chance, world, `act-${kill}-${client}-${index}`)),
    );
    const acked: MoneyAct[] = [];
    const lost: MoneyAct[] = [];
    const running = stories.map(async (story) => {
      for (const act of story) {
        const answer = await send(isOfChecker(act) ? checker : asker, act).catch(() => null);
        if (answer === null || answer.httpStatus >= 500) lost.push(act);
        else if (answer.httpStatus === 200 && answer.data !== null && !('waitsFor' in answer.data)) acked.push(act);
      }
    });
    await pause(chance.whole(50, 1_500));
    await product.kill9();
    await Promise.all(running);
    await product.startAgain();
    // What was acknowledged before the process died is in the books.
    const applied = await appliedKeys(database.pool);
    const missing = acked.filter(({ what, key }) => recorded.has(what) && !applied.has(key));
    expect(missing, `seed ${seed}, kill ${kill}`).toEqual([]);
    expect(await brokenRules(database.pool), `seed ${seed}, kill ${kill}`).toEqual({});
    // A script sends what it got no answer to again, under the same key.
    const repeated = await Promise.all(lost.map((act) => send(isOfChecker(act) ? checker : asker, act)));
    for (const [index, { httpStatus, message }] of repeated.entries()) {
      const told = `seed ${seed}, kill ${kill}: ${JSON.stringify(lost[index])} -> ${httpStatus} ${message.message}`;
      expect(httpStatus, told).toBeLessThan(500);
    }
    expect(await brokenRules(database.pool), `seed ${seed}, kill ${kill}, repeated`).toEqual({});
    acknowledged += acked.length;
    unanswered += lost.length;
    await refreshWorld(database.pool, world);
  }
  // Every payment and payout whose outcome nobody knew is found out: it is asked for again after half as long as it has
  // been open.
  await until(
    'every outcome is known',
    async () => {
      expect(await unknownOutcomes(database.pool)).toEqual([]);
      return true;
    },
    foundOutMs + (performance.now() - startedAt) / 2,
  );
  expect(await brokenRules(database.pool), `seed ${seed}, in the end`).toEqual({});
  console.log(`${kills} kills, ${acknowledged} acknowledged, ${unanswered} without an answer and sent again`);
  expect(acknowledged).toBeGreaterThan(0);
  await product.stop();
  expect(product.errors).toEqual([]);
}, 3_600_000);
