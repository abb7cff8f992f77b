import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { type Dice, dice, seedOfRun } from './dice.ts';
import { type Firmware, startFirmware } from './firmware.ts';
import { type MortalProduct, startMortalProduct } from './product.ts';
import { calculated, dayTariff, handBill, type Message, morning, twoHourCharge } from './two-hour-charge.ts';
import { until } from './until.ts';

const seed = seedOfRun('killed server');
/** Concurrent API calls while stations are created and checked. */
const atOnce = 8;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let product: MortalProduct;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startMortalProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Teller = { card: string; cardId: number; firmware: Firmware };

async function newTellers(name: string, count: number, balanceFen: number): Promise<Teller[]> {
  const tellers: Teller[] = [];
  const make = async (index: number): Promise<Teller> => {
    const number = `${name}-${index}`;
    const card = `${name === 'SWEEP' ? 'A' : 'B'}${String(index).padStart(15, '0')}`;
    const cardId = await api.createCard(card, balanceFen);
    const { password } = await api.createStation({ number, siteId, tariffId });
    const resendsWith = index % 2 === 0 ? 'same-id' : 'new-id';
    const firmware = startFirmware({ ocppUrl: product.ocppUrl, number, password, resendsWith });
    await firmware.connected();
    return { card, cardId, firmware };
  };
  for (let first = 0; first < count; first += atOnce) {
    const rest = Math.min(atOnce, count - first);
    tellers.push(...(await Promise.all(Array.from({ length: rest }, (_, offset) => make(first + offset)))));
  }
  return tellers;
}

/**
 * Checks that each charge has one order with the bill calculated by hand, the money moved once, and every answered
 * reading stored.
 */
async function proveCharges(tellers: readonly Teller[], charges: readonly number[], balanceFen: number): Promise<void> {
  for (let first = 0; first < tellers.length; first += atOnce) {
    const some = tellers.slice(first, first + atOnce);
    await Promise.all(some.map((teller, index) => proveTeller(teller, charges[first + index] ?? 0, balanceFen)));
  }
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
}

async function proveTeller({ card, cardId, firmware }: Teller, charges: number, balanceFen: number): Promise<void> {
  const orders = await api.ordersOf({ cardNumber: card });
  const seen = orders.map(({ state, amountFen, energyWh, abnormal }) => ({ state, amountFen, energyWh, abnormal }));
  const wanted = { state: 'completed', amountFen: 13_000, energyWh: 119_987, abnormal: false };
  expect(seen, card).toEqual(Array.from({ length: charges }, () => wanted));
  const kept = new Set<string>();
  for (const { id } of orders) {
    const order = await api.order(id);
    expect(order.lines.map(calculated), card).toEqual(handBill.lines);
    for (const { at } of await api.readingsOf(id)) kept.add(at);
  }
  const answered = firmware.told.flatMap(({ message }) => message.readAt ?? []);
  expect(answered).toHaveLength(charges * 9);
  expect(
    answered.filter((at) => !kept.has(at)),
    card,
  ).toEqual([]);
  const balance = await api.balanceOf({ cardId });
  expect(balance, card).toMatchObject({ balanceFen: balanceFen - charges * 13_000, heldFen: 0 });
}

describe('a server that is killed', { timeout: 600_000 }, () => {
  /** Milliseconds between a message on the wire and the kill: in transit, being read, being stored, being answered. */
  const wireMs = [0, 3, 8, 16, 32, 64] as const;

  test('killing the server before, during or after any step of a charge loses nothing that it answered and bills once', async () => {
    const steps = twoHourCharge('', morning(1)).length;
    type Point = { step: number; sentBeforeKillMs: number | null };
    const points: Point[] = [];
    for (let step = 0; step < steps; step += 1) {
      // Before a step means after the previous one.
      points.push({ step, sentBeforeKillMs: null });
      // Each step with two of the waits, each wait with a third of the steps.
      wireMs.forEach((sentBeforeKillMs, index) => {
        if (index % 3 === step % 3) points.push({ step, sentBeforeKillMs });
      });
    }
    const tellers = await newTellers('SWEEP', points.length, 20_000);
    const release = new Map<number, PromiseWithResolvers<void>>();
    for (const wait of wireMs) release.set(wait, Promise.withResolvers());
    const killed = Promise.withResolvers<void>();
    let waiting = 0;
    const everybodyWaits = Promise.withResolvers<void>();

    const stories = tellers.map(async ({ card, firmware }, index) => {
      const point = points[index] as Point;
      const story = twoHourCharge(card, morning(1));
      for (const [step, message] of story.entries()) {
        if (step === point.step) {
          waiting += 1;
          if (waiting === tellers.length) everybodyWaits.resolve();
          const go = point.sentBeforeKillMs === null ? killed : release.get(point.sentBeforeKillMs);
          await go?.promise;
        }
        await firmware.tell(message);
      }
    });
    await everybodyWaits.promise;
    const answeredBefore = tellers.reduce((sum, { firmware }) => sum + firmware.told.length, 0);
    const last = Math.max(...wireMs);
    const begun = performance.now();
    for (const wait of [...wireMs].sort((a, b) => b - a)) {
      await untilClock(begun + last - wait);
      release.get(wait)?.resolve();
      // The released stations now put their message on the wire.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await product.kill9();
    const answeredInTime = tellers.reduce((sum, { firmware }) => sum + firmware.told.length, 0) - answeredBefore;
    killed.resolve();
    await product.startAgain();
    await Promise.all(stories);
    const between = points.filter(({ sentBeforeKillMs }) => sentBeforeKillMs !== null).length;
    console.log(`killed with ${between} messages on their way, ${answeredInTime} answers came before`);
    expect(tellers.every(({ firmware }) => firmware.connections === 2)).toBe(true);
    await proveCharges(
      tellers,
      tellers.map(() => 1),
      20_000,
    );
    await Promise.all(tellers.map(({ firmware }) => firmware.stop()));
  });

  test('killing the server repeatedly at random while stations charge leaves one order and one bill per charge', async () => {
    const kills = 5;
    const chargesMax = 40;
    const balanceFen = chargesMax * 13_000;
    const chance = dice(seed);
    const tellers = await newTellers('RANDOM', 12, balanceFen);
    let isOver = false;
    const charges = await Promise.all([
      ...tellers.map((teller, index) => tellStories(teller, dice(seed + index + 1), chargesMax, () => isOver)),
      killOften(tellers, chance, kills).then(() => {
        isOver = true;
        return 0;
      }),
    ]);
    const counts = charges.slice(0, -1);
    const sum = counts.reduce((all, count) => all + count, 0);
    const repeated = tellers.reduce((all, { firmware }) => all + firmware.sent - firmware.told.length, 0);
    console.log(`${kills} kills, ${sum} charges, ${repeated} messages sent again`);
    expect(sum).toBeGreaterThanOrEqual(tellers.length);
    expect(repeated).toBeGreaterThan(0);
    await proveCharges(tellers, counts, balanceFen);
    await Promise.all(tellers.map(({ firmware }) => firmware.stop()));
  });
});

/** Sends one charge after the other, each on a different morning, until `isOver`. Returns how many. */
async function tellStories(teller: Teller, chance: Dice, most: number, isOver: () => boolean): Promise<number> {
  let charges = 0;
  while (charges < most && !isOver()) {
    const story: Message[] = twoHourCharge(teller.card, morning(most + 1 - charges));
    for (const message of story) {
      await pause(chance.whole(0, 12));
      await teller.firmware.tell(message);
    }
    charges += 1;
  }
  return charges;
}

/**
 * Kills the server after some more answers and a random delay: while it works, while stations reconnect, and once
 * during its start.
 */
async function killOften(tellers: readonly Teller[], chance: Dice, kills: number): Promise<void> {
  const answered = () => tellers.reduce((sum, { firmware }) => sum + firmware.told.length, 0);
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = answered() + chance.whole(0, 60);
    await until('the stations are answered', () => answered() >= enough, 30_000);
    await pause(chance.whole(0, 40));
    await product.kill9();
    if (kill === 2) await product.startBriefly(chance.whole(200, 900));
    await product.startAgain();
  }
}

async function untilClock(at: number): Promise<void> {
  const left = at - performance.now();
  if (left > 0) await pause(left);
}
