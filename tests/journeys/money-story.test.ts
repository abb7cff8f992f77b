import { freshDatabase } from '@voltdeck/server/database/test-database';
import { expect, test } from 'vitest';
import { dice, seedOfRun } from './dice.ts';
import { drawAct, isOfChecker, type MoneyAct, send } from './money-acts.ts';
import { brokenRules } from './money-books.ts';
import { addOrders, openMoneyWorld, refreshWorld } from './money-world.ts';
import { startProduct } from './product.ts';

const seed = seedOfRun('money story');
/** MONEY_ROUNDS makes the story longer than what the ordinary run has time for. */
const rounds = Number(process.env.MONEY_ROUNDS ?? 30);
const clients = 8;

test('any money operations of many clients at once leave sound books after every round, and no key is applied twice', async () => {
  const database = await freshDatabase();
  const product = await startProduct(database.url);
  const chance = dice(seed);
  const { world, asker, checker } = await openMoneyWorld(product, database, chance);
  const past: MoneyAct[] = [];
  const outcomes = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    if (round % 5 === 0) await addOrders(database, world, chance);
    const drawn = Array.from({ length: clients }, (_, client) => drawAct(chance, world, `act-${round}-${client}`));
    // Some are sent twice at once, and some of earlier rounds again, under the keys they had.
    const again = drawn.filter(() => chance.next() < 0.2);
    const old = past.filter(() => chance.next() < 2 / (past.length + 1));
    const sent = [...drawn, ...again, ...old];
    const answers = await Promise.all(sent.map((act) => send(isOfChecker(act) ? checker : asker, act)));
    for (const [index, { httpStatus, message }] of answers.entries()) {
      const act = sent[index];
      const story = `seed ${seed}, round ${round}: ${JSON.stringify(act)} -> ${httpStatus} ${message.message}`;
      expect(httpStatus, story).toBeLessThan(500);
      const outcome = `${act?.what} ${httpStatus === 200 ? 'done' : message.error}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    past.push(...drawn);
    expect(await brokenRules(database.pool), `seed ${seed}, round ${round}`).toEqual({});
    await refreshWorld(database.pool, world);
  }
  console.log(
    [...outcomes]
      .sort()
      .map(([outcome, times]) => `${outcome} ${times}`)
      .join(', '),
  );
  // The story is about money only if much of it moved.
  expect([...outcomes].filter(([outcome]) => outcome.endsWith(' done')).length).toBeGreaterThan(8);
  expect(await asker.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  await product.stop();
  expect(product.errors).toEqual([]);
}, 600_000);
