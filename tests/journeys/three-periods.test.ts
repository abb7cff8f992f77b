import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api, Order } from './api.ts';
import { type LibraryStation, libraryStation } from './library-station.ts';
import { type Product, startProduct } from './product.ts';
import {
  calculated,
  dayTariff,
  handBill,
  justEnded,
  type Message,
  morning,
  tariffAround,
  twoHourCharge,
} from './two-hour-charge.ts';

let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function newStation(number: string, ofTariff = tariffId): Promise<LibraryStation> {
  const { password } = await api.createStation({ number, siteId, tariffId: ofTariff });
  return libraryStation(product.ocppUrl, { number, password });
}

/** Sends the story, message by message. */
async function tell(story: readonly Message[], send: (message: Message, transactionId: number) => Promise<unknown>) {
  let transactionId = 0;
  for (const message of story) {
    const answer = (await send(message, transactionId)) as { transactionId?: number };
    if (message.action === 'StartTransaction') transactionId = answer.transactionId ?? 0;
  }
}

async function onlyOrderOf(cardNumber: string): Promise<Order> {
  const orders = await api.ordersOf({ cardNumber });
  expect(orders).toHaveLength(1);
  return orders[0] as Order;
}

describe('a two-hour charge reported by an independent OCPP library', () => {
  test('a charge across three price periods is billed to the fen, its hold posted, the books in balance', async () => {
    const card = '00000000000000A1';
    const cardId = await api.createCard(card, 20_000);
    const station = await newStation('THREE-1');
    const before = await api.proof();
    const answers: [string, unknown][] = [];
    await tell(twoHourCharge(card, morning(1)), async ({ action, payload }, transactionId) => {
      const answer = await station.call(action, payload(transactionId));
      answers.push([action, answer]);
      if (action === 'StartTransaction') {
        const [running] = await api.ordersOf({ cardNumber: card });
        expect(running).toMatchObject({ state: 'charging', paymentState: 'unpaid', stationNumber: 'THREE-1' });
        expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 15_000, heldFen: 5_000 });
      }
      return answer;
    });
    expect(answers[0]).toMatchObject(['BootNotification', { status: 'Accepted' }]);
    expect(answers[2]).toMatchObject(['Authorize', { idTagInfo: { status: 'Accepted' } }]);

    const listed = await onlyOrderOf(card);
    const sums = { energyWh: 119_987, electricityFeeFen: 8_182, serviceFeeFen: 4_818, amountFen: 13_000 };
    expect(listed).toMatchObject({
      ...sums,
      state: 'completed',
      paymentState: 'paid',
      paidFen: 13_000,
      stopReason: 'local',
      abnormal: false,
      connectorNumber: 1,
      startedAt: new Date(morning(1)).toISOString(),
      endedAt: new Date(morning(1) + 7_200_000).toISOString(),
    });
    const order = await api.order(listed.id);
    expect(order).toMatchObject(sums);
    const at = (minute: number) => new Date(morning(1) + minute * 60_000).toISOString();
    // 29.940 kWh at 0.31234 + 0.30125, 60.082 kWh at 0.68750 + 0.40000, 29.965 kWh at 1.03999 + 0.50505 yuan.
    expect(order.lines).toMatchObject([
      { from: at(0), to: at(30), period: 'valley', energyWh: 29_940, electricityFeeFen: 935, serviceFeeFen: 902 },
      { from: at(30), to: at(90), period: 'flat', energyWh: 60_082, electricityFeeFen: 4_131, serviceFeeFen: 2_403 },
      { from: at(90), to: at(120), period: 'peak', energyWh: 29_965, electricityFeeFen: 3_116, serviceFeeFen: 1_513 },
    ]);
    expect(order.lines.map((line) => [line.electricityPriceE5, line.servicePriceE5])).toEqual([
      [31_234, 30_125],
      [68_750, 40_000],
      [103_999, 50_505],
    ]);
    expect(order.flags).toEqual([]);
    expect(order.steps.every(({ at: reachedAt }) => reachedAt !== null)).toBe(true);
    // 200 yuan on the card, 130 for the charge.
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    const proof = await api.proof();
    expect(proof).toMatchObject({ sumFen: 0, mismatches: 0 });
    // One to hold, up to two more holds as 50 yuan were spent twice, one to settle.
    expect(proof.transfers - before.transfers).toBeOneOf([2, 3, 4]);
    await station.close();
  });

  test('a charge with every message resent, under the same id and a new one, is one order and one bill', async () => {
    const card = '00000000000000A2';
    const cardId = await api.createCard(card, 20_000);
    const station = await newStation('THREE-2');
    const numbers = new Set<unknown>();
    await tell(twoHourCharge(card, morning(1)), async ({ action, payload }, transactionId) => {
      const first = station.call(action, payload(transactionId));
      station.repeatLastFrame();
      const answer = await first;
      station.repeatLastFrame();
      const again = await station.call(action, payload(transactionId));
      if (action === 'StartTransaction') numbers.add(answer.transactionId).add(again.transactionId);
      if (action === 'StopTransaction') expect(again).toEqual(answer);
      return answer;
    });
    expect(numbers.size).toBe(1);
    const order = await api.order((await onlyOrderOf(card)).id);
    expect(order).toMatchObject({ state: 'completed', amountFen: 13_000, energyWh: 119_987, abnormal: false });
    expect(order.lines.map(calculated)).toEqual(handBill.lines);
    expect(await api.readingsOf(order.id)).toHaveLength(9);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await station.close();
  });

  test('a charge cut off in the middle and delivered 40 minutes late is billed by event time', async () => {
    const card = '00000000000000A3';
    const cardId = await api.createCard(card, 20_000);
    // It has ended; its last part, from minute 80 on, waited in the station for 40 minutes or more.
    const startMs = justEnded();
    const story = twoHourCharge(card, startMs);
    const cutBefore = story.findIndex(
      ({ readAt }) => readAt !== undefined && Date.parse(readAt) >= startMs + 4_800_000,
    );
    expect(cutBefore).toBeGreaterThan(5);
    const station = await newStation('THREE-3', await api.createTariff(tariffAround(startMs)));
    let sent = 0;
    await tell(story, async ({ action, payload }, transactionId) => {
      if (sent === cutBefore) {
        const unheard = station.call(action, payload(transactionId)).catch((error: Error) => error);
        await station.cut();
        expect(await unheard).toBeInstanceOf(Error);
        const [offline] = await api.ordersOf({ cardNumber: card });
        expect(offline?.state).toBe('charging');
        await station.connect();
      }
      sent += 1;
      return station.call(action, payload(transactionId));
    });
    const order = await api.order((await onlyOrderOf(card)).id);
    expect(order).toMatchObject({
      state: 'completed',
      amountFen: 13_000,
      abnormal: false,
      startedAt: new Date(startMs).toISOString(),
      endedAt: new Date(startMs + 7_200_000).toISOString(),
    });
    expect(order.lines.map(calculated)).toEqual(handBill.lines);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await station.close();
  });
});
