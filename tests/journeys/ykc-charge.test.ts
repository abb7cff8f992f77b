import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api, Order } from './api.ts';
import { type Pile, startPile } from './pile.ts';
import { bcd, u8 } from './pile-bytes.ts';
import { charging, heartbeat, idle, linesOf, pileBill, recordOf } from './pile-charge.ts';
import { type Product, startProduct } from './product.ts';
import { cyclingTariff, justEnded } from './two-hour-charge.ts';
import { until } from './until.ts';

let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(cyclingTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

const live = 0x13;
const record = 0x3b;
const twoHoursMs = 7_200_000;

async function newPile(number: string): Promise<Pile & { stationId: number }> {
  const { id } = await api.createStation({ number, siteId, tariffId, protocol: 'ykc' });
  const pile = startPile({ port: product.ykcPort, number });
  await pile.ready();
  await pile.ask(0x03, heartbeat(pile));
  pile.send(live, idle(pile, { plugged: true }));
  await until(`${number} is plugged in`, async () => (await api.connectorsOf(id))[0]?.state === 'plugged_in');
  return Object.assign(pile, { stationId: id });
}

async function onlyOrderOf(number: string): Promise<Order> {
  const orders = await api.ordersOf({ stationNumber: number });
  expect(orders).toHaveLength(1);
  return orders[0] as Order;
}

const stateOf = async (number: string) => (await api.ordersOf({ stationNumber: number }))[0]?.state;

describe('a charge reported by a YKC pile', () => {
  test('a YKC charge across three price periods is billed to the fen, its hold posted, the books in balance', async () => {
    const card = '00000000000000C1';
    const cardId = await api.createCard(card, 20_000);
    const pile = await newPile('32010600000001');
    // Its billing model: four prices of electricity and service, and 48 half hours (0 sharp, 1 peak, 2 flat, 3 valley).
    const prices = Array.from({ length: 8 }, (_, index) => pile.model?.readUInt32LE(2 + 4 * index));
    expect(prices).toEqual([999_999, 999_999, 103_999, 50_505, 68_750, 40_000, 31_234, 30_125]);
    const slots = [...(pile.model?.subarray(35) ?? [])];
    expect(slots).toEqual(Array.from({ length: 48 }, (_, slot) => 3 - (slot % 3)));

    const authorized = await pile.applyByCard(1, card);
    expect(authorized).toMatchObject({ ok: true, failReason: 0, balanceFen: 20_000 });
    expect(authorized.tradeNo).toMatch(/^3201060000000101\d{16}$/);
    expect(await onlyOrderOf(pile.number)).toMatchObject({ state: 'placed', cardNumber: card });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 15_000, heldFen: 5_000 });

    const startMs = justEnded();
    const { tradeNo } = authorized;
    pile.send(live, charging(pile, tradeNo, 0, 0));
    await until('the charge runs', async () => (await stateOf(pile.number)) === 'charging');
    pile.send(live, charging(pile, tradeNo, 7, 69_030));
    const running = await onlyOrderOf(pile.number);
    // Seven kilowatt-hours within a moment: kept, and doubted as a jump.
    await until('energy is seen', async () => (await api.readingsOf(running.id)).at(-1)?.doubt === 'meter_jump');
    pile.send(live, charging(pile, tradeNo, 52, 519_770));
    const story = { tradeNo, physicalCard: card, startMs, endMs: startMs + twoHoursMs };
    const confirmed = await pile.ask(record, recordOf(pile, story));
    expect(confirmed.toString('hex')).toBe(`${tradeNo}00`);
    pile.send(live, idle(pile));

    const order = await api.order((await onlyOrderOf(pile.number)).id);
    expect(order).toMatchObject({
      state: 'completed',
      paymentState: 'paid',
      abnormal: false,
      stopReason: 'local',
      connectorNumber: 1,
      energyWh: pileBill.energyWh,
      electricityFeeFen: pileBill.electricityFeeFen,
      serviceFeeFen: pileBill.serviceFeeFen,
      amountFen: pileBill.amountFen,
      paidFen: pileBill.amountFen,
      startedAt: new Date(startMs).toISOString(),
      endedAt: new Date(startMs + twoHoursMs).toISOString(),
    });
    expect(order.flags).toEqual([]);
    expect(linesOf(order.lines)).toEqual(pileBill.lines);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await pile.close();
  });

  test('a YKC charge with every frame doubled, byte for byte and as a new one, is one order and one bill', async () => {
    const card = '00000000000000C2';
    const cardId = await api.createCard(card, 20_000);
    const pile = await newPile('32010600000002');
    const twice = async (type: number, body: Buffer): Promise<Buffer[]> => {
      const first = pile.ask(type, body);
      pile.repeatLastFrame();
      return [await first, await pile.ask(type, body)];
    };
    const first = await pile.applyByCard(1, card);
    pile.repeatLastFrame();
    expect(await pile.applyByCard(1, card)).toEqual(first);
    const { tradeNo } = first;
    for (const [minutes, energy] of [
      [0, 0],
      [30, 299_400],
      [90, 900_220],
    ] as const) {
      pile.send(live, charging(pile, tradeNo, minutes, energy));
      pile.repeatLastFrame();
      pile.send(live, charging(pile, tradeNo, minutes, energy));
    }
    const endMs = Date.now();
    const answers = await twice(
      record,
      recordOf(pile, { tradeNo, physicalCard: card, startMs: endMs - twoHoursMs, endMs }),
    );
    expect(new Set(answers.map((answer) => answer.toString('hex')))).toEqual(new Set([`${tradeNo}00`]));
    const order = await api.order((await onlyOrderOf(pile.number)).id);
    expect(order).toMatchObject({ state: 'completed', amountFen: 13_000, energyWh: 119_987, abnormal: false });
    expect(linesOf(order.lines)).toEqual(pileBill.lines);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await pile.close();
  });

  test('a YKC charge cut off in the middle and recorded 40 minutes late is billed by event time', async () => {
    const card = '00000000000000C3';
    const cardId = await api.createCard(card, 20_000);
    const pile = await newPile('32010600000003');
    const { tradeNo } = await pile.applyByCard(1, card);
    pile.send(live, charging(pile, tradeNo, 1, 9_000));
    await until('the charge runs', async () => (await stateOf(pile.number)) === 'charging');
    await pile.cut();
    await until('the station is offline', async () => (await api.connectorsOf(pile.stationId))[0]?.state === 'offline');
    expect(await stateOf(pile.number)).toBe('charging');
    pile.connect();
    const endMs = Date.now() - 40 * 60_000;
    const confirmed = await pile.ask(
      record,
      recordOf(pile, { tradeNo, physicalCard: card, startMs: endMs - twoHoursMs, endMs, stopReason: 0x83 }),
    );
    expect(confirmed[16]).toBe(0);
    const order = await api.order((await onlyOrderOf(pile.number)).id);
    expect(order).toMatchObject({
      state: 'completed',
      amountFen: 13_000,
      stopReason: 'power_loss',
      startedAt: new Date(endMs - twoHoursMs).toISOString(),
      endedAt: new Date(endMs).toISOString(),
    });
    expect(linesOf(order.lines)).toEqual(pileBill.lines);
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    await pile.close();
  });

  test('a YKC charge begun offline with an offline card and known only by its record is billed to that card', async () => {
    const card = '00000000000000C4';
    const cardId = await api.createCard(card, 20_000);
    const pile = await newPile('32010600000004');
    const tradeNo = '32010600000004012611200815000001';
    const endMs = Date.now() - 3 * 3_600_000;
    const told = { tradeNo, physicalCard: card, startFlag: 4, startMs: endMs - twoHoursMs, endMs };
    const confirmed = await pile.ask(record, recordOf(pile, told));
    expect(confirmed.toString('hex')).toBe(`${tradeNo}00`);
    const order = await api.order((await onlyOrderOf(pile.number)).id);
    expect(order).toMatchObject({ state: 'completed', amountFen: 13_000, paidFen: 13_000, cardNumber: card });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    await pile.close();
  });

  test('a YKC charge whose own sum differs is billed by ours and flagged with both', async () => {
    const card = '00000000000000C5';
    const cardId = await api.createCard(card, 20_000);
    const pile = await newPile('32010600000005');
    const { tradeNo } = await pile.applyByCard(1, card);
    pile.send(live, charging(pile, tradeNo, 0, 0));
    const endMs = Date.now();
    const told = { tradeNo, physicalCard: card, startMs: endMs - twoHoursMs, endMs, amount: 1_420_000 };
    expect((await pile.ask(record, recordOf(pile, told)))[16]).toBe(0);
    const order = await api.order((await onlyOrderOf(pile.number)).id);
    expect(order).toMatchObject({ state: 'completed', amountFen: 13_000, paidFen: 13_000, abnormal: true });
    expect(order.flags.map(({ rule }) => rule)).toEqual(['amount_differs']);
    expect(JSON.stringify(order.flags[0]?.evidence)).toContain('14200');
    expect(JSON.stringify(order.flags[0]?.evidence)).toContain('13000');
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    await pile.close();
  });

  test('a YKC charge started and stopped from the back office runs on the customer’s money', async () => {
    const customerId = await api.createCustomer('13800000041', 20_000);
    const pile = await newPile('32010600000006');
    // 0x34: 16 bytes of trade number, 7 of pile, gun; 0x33 repeats them and says yes. 0x36 begins with pile and gun.
    pile.answerBy(0x34, (body) => ({ type: 0x33, body: Buffer.concat([body.subarray(0, 24), u8(1), u8(0)]) }));
    pile.answerBy(0x36, (body) => ({ type: 0x35, body: Buffer.concat([body.subarray(0, 8), u8(1), u8(0)]) }));
    const [port] = await api.connectorsOf(pile.stationId);
    const placed = await api.post<Order>('/orders', { connectorId: port?.id, customerPhone: '13800000041' });
    const start = await pile.hears(0x34);
    const tradeNo = start.body.subarray(0, 16).toString('hex');
    expect(start.body.subarray(16, 24).toString('hex')).toBe(`${pile.number}01`);
    expect(start.body.readUInt32LE(40)).toBe(20_000);
    pile.send(live, charging(pile, tradeNo, 0, 0));
    await until('the charge runs', async () => (await stateOf(pile.number)) === 'charging');
    expect(await api.post(`/orders/${placed.id}/stops`)).toEqual({ agreed: true });
    expect((await pile.hears(0x36)).body.equals(Buffer.concat([bcd(pile.number), u8(1)]))).toBe(true);
    const endMs = Date.now();
    const told = { tradeNo, startMs: endMs - twoHoursMs, endMs, startFlag: 1, stopReason: 0x40 };
    expect((await pile.ask(record, recordOf(pile, told)))[16]).toBe(0);
    const order = await api.order(placed.id);
    expect(order).toMatchObject({ state: 'completed', stopReason: 'remote', amountFen: 13_000, paidFen: 13_000 });
    expect(await api.balanceOf({ customerId })).toMatchObject({ balanceFen: 7_000, heldFen: 0 });
    await pile.close();
  });

  test('a YKC charge refused for lack of money, or never begun, costs nothing', async () => {
    const poor = '00000000000000C7';
    await api.createCard(poor, 50);
    const pile = await newPile('32010600000007');
    expect(await pile.applyByCard(1, poor)).toMatchObject({ ok: false, failReason: 3, tradeNo: '0'.repeat(32) });
    expect(await pile.applyByCard(1, 'FFFFFFFFFFFFFFF1')).toMatchObject({ ok: false, failReason: 1 });
    expect(await api.ordersOf({ stationNumber: pile.number })).toEqual([]);

    const card = '00000000000000C8';
    const cardId = await api.createCard(card, 8_000);
    const { tradeNo } = await pile.applyByCard(1, card);
    const atMs = Date.now();
    const nothing = { price: 0, energy: 0, amount: 0 };
    const failed = recordOf(pile, {
      tradeNo,
      physicalCard: card,
      startMs: atMs,
      endMs: atMs,
      stopReason: 0x4b,
      ...{
        sharp: nothing,
        peak: nothing,
        flat: nothing,
        valley: nothing,
        energy: 0,
        amount: 0,
        meterEnd: 12_345_678_901,
      },
    });
    expect((await pile.ask(record, failed))[16]).toBe(0);
    expect(await onlyOrderOf(pile.number)).toMatchObject({ state: 'cancelled', amountFen: 0 });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 8_000, heldFen: 0 });
    expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
    await pile.close();
  });
});
