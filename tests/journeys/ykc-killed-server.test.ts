import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { dice, seedOfRun } from './dice.ts';
import { type Pile, startPile } from './pile.ts';
import { charging, idle, linesOf, pileBill, recordOf } from './pile-charge.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { cyclingTariff } from './two-hour-charge.ts';

const seed = seedOfRun('killed server, YKC');
const balanceFen = 100_000;
const chargesEach = 4;
const kills = 5;
const twoHoursMs = 7_200_000;

let product: MortalProduct;
let api: Api;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startMortalProduct(url);
  api = await product.signIn();
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('a server killed repeatedly while piles charge bills every confirmed record once, to the fen', async () => {
  const tariffId = await api.createTariff(cyclingTariff);
  const siteId = await api.createSite('Lakeside');
  const tellers: { pile: Pile; card: string; cardId: number }[] = [];
  for (let index = 0; index < 12; index += 1) {
    const number = `320106000001${String(index).padStart(2, '0')}`;
    const card = `D${String(index).padStart(15, '0')}`;
    const cardId = await api.createCard(card, balanceFen);
    await api.createStation({ number, siteId, tariffId, protocol: 'ykc' });
    const pile = startPile({ port: product.ykcPort, number });
    await pile.ready();
    tellers.push({ pile, card, cardId });
  }
  let told = 0;
  const stories = tellers.map(async ({ pile, card }, index) => {
    const chance = dice(seed + index + 1);
    for (let charge = 0; charge < chargesEach; charge += 1) {
      const { ok, tradeNo } = await pile.applyByCard(1, card);
      expect(ok, `${pile.number} may charge`).toBe(true);
      for (const minutes of [0, 7, 30, 52]) {
        await pause(chance.whole(0, 15));
        pile.send(0x13, charging(pile, tradeNo, minutes, minutes * 10_000));
      }
      const endMs = Date.now() - (chargesEach - charge) * twoHoursMs;
      const confirmed = await pile.ask(
        0x3b,
        recordOf(pile, { tradeNo, physicalCard: card, startMs: endMs - twoHoursMs, endMs }),
      );
      expect(confirmed[16]).toBe(0);
      pile.send(0x13, idle(pile));
      told += 1;
    }
  });
  const chance = dice(seed);
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(chance.whole(60, 400));
    await product.kill9();
    if (kill === 2) await product.startBriefly(chance.whole(200, 900));
    await product.startAgain();
  }
  await Promise.all(stories);
  console.log(`${kills} kills, ${told} charges`);
  expect(tellers.every(({ pile }) => pile.connections > 1)).toBe(true);
  for (const { pile, card, cardId } of tellers) {
    const orders = (await api.ordersOf({ cardNumber: card })).filter(({ state }) => state !== 'cancelled');
    expect(
      orders.map(({ state, amountFen, energyWh }) => ({ state, amountFen, energyWh })),
      pile.number,
    ).toEqual(
      Array.from({ length: chargesEach }, () => ({ state: 'completed', amountFen: 13_000, energyWh: 119_987 })),
    );
    for (const { id } of orders) expect(linesOf((await api.order(id)).lines)).toEqual(pileBill.lines);
    const balance = await api.balanceOf({ cardId });
    expect(balance, card).toMatchObject({ balanceFen: balanceFen - chargesEach * 13_000, heldFen: 0 });
  }
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  await Promise.all(tellers.map(({ pile }) => pile.close()));
}, 600_000);
