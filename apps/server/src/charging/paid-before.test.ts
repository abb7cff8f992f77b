import type { EnergyTariff } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import type { StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { connectStation, type Floor, openFloor, testTariff } from './test-charging-floor.ts';
import { billOf, dayEnergiesWh, openNamedStation } from './test-named-charge.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await floor.close();
});

/** One yuan a kWh at any hour. */
const evenPrice = { electricity: priceE5(60_000), service: priceE5(40_000) };
const nothing = { electricity: priceE5(0), service: priceE5(0) };

/** One slot: a charge that crosses from one to the next is rounded in each, and may come to a fen less or more. */
const allDay: EnergyTariff['slots'] = [{ start: '00:00', end: '24:00', period: 'flat' }];

/** A rule with two choices, 5 yuan for four hours or 20 yuan for twelve. */
function ruleOf(kind: 'prepaid' | 'fixed', price = evenPrice): EnergyTariff {
  return {
    kind: 'energy',
    slots: allDay,
    prices: { sharp: price, peak: price, flat: price, valley: price },
    prepayment: {
      kind,
      choices: [
        { amountFen: fen(500), hours: 4, energyWh: null },
        { amountFen: fen(2_000), hours: 12, energyWh: wattHours(50_000) },
      ],
    },
  };
}

async function priceBy(id: StationId, rule: EnergyTariff): Promise<void> {
  const tariff = await database.db
    .insertInto('tariffs')
    .values({ name: 'Choices', kind: rule.kind, detail: JSON.stringify(rule) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database.db.updateTable('stations').set({ card_tariff_id: tariff.id }).where('id', '=', id).execute();
}

const orderAt = (id: StationId) =>
  database.db
    .selectFrom('orders')
    .selectAll()
    .where('station_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

const flagsAt = async (id: StationId) =>
  database.db
    .selectFrom('order_flags')
    .innerJoin('orders', 'orders.id', 'order_flags.order_id')
    .select(['order_flags.rule', 'order_flags.evidence'])
    .where('orders.station_id', '=', id)
    .execute();

/** A card shown at an OCPP station at noon, and a charge of an hour: one over midnight has two lines. */
async function swipe(number: string, card: string, energyWh: number) {
  const from = instant(shanghaiDayStart(instant(Date.now())) + 12 * hourMs);
  floor.clock.now = from;
  const station = await connectStation(floor, number);
  const authorized = await station.call('Authorize', { idTag: card });
  const begun = await station.call('StartTransaction', {
    connectorId: 1,
    idTag: card,
    meterStart: 0,
    timestamp: toIso(from),
  });
  const at = (minutes: number): Instant => instant(from + minutes * minuteMs);
  return {
    statuses: [authorized, begun].map(({ idTagInfo }) => (idTagInfo as { status: string }).status),
    async stop() {
      floor.clock.now = at(60);
      const { transactionId } = begun;
      const stop = { transactionId, meterStop: energyWh, timestamp: toIso(at(60)), reason: 'Local' };
      await station.call('StopTransaction', stop);
      floor.clock.now = null;
      await station.end();
    },
  };
}

test('a tap of a card with an amount of its own pays for the choice that costs it', async () => {
  const { id } = await floor.addStation('TAPPED', { ports: 1 });
  await priceBy(id, ruleOf('prepaid'));
  const cardId = await floor.addCard('C0000000TAPPED', 10_000);
  await database.db
    .updateTable('cards')
    .set({ tap_amount_fen: fen(2_000) })
    .where('id', '=', cardId)
    .execute();
  const charge = await swipe('TAPPED', 'C0000000TAPPED', 30_000);
  expect(charge.statuses).toEqual(['Accepted', 'Accepted']);
  await charge.stop();
  expect(await orderAt(id)).toMatchObject({ amount_fen: 2_000, paid_fen: 2_000 });
});

test('a prepaid charge that delivered more than was paid costs what was paid, and is flagged', async () => {
  const { id } = await floor.addStation('MUCH', { ports: 1 });
  await priceBy(id, ruleOf('prepaid'));
  const cardId = await floor.addCard('C00000000MUCH', 10_000);
  const charge = await swipe('MUCH', 'C00000000MUCH', 30_000);
  await charge.stop();
  expect(await orderAt(id)).toMatchObject({
    state: 'completed',
    payment_state: 'paid',
    energy_wh: 30_000,
    amount_fen: 500,
    electricity_fee_fen: 500,
    service_fee_fen: 0,
    paid_fen: 500,
    abnormal: true,
  });
  expect(await flagsAt(id)).toEqual([
    { rule: 'amount_above_prepaid', evidence: { heldFen: 500, amountFen: 500, forgoneFen: 2_500 } },
  ]);
  expect(await floor.balanceOf(`card:${cardId}`)).toBe(9_500);
  expect(await floor.balanceOf(`receivable:card:${cardId}`)).toBe(0);
});

test('a charge that was paid for by time ends when that is over, also where no readings come', async () => {
  const { id } = await floor.addStation('SILENT', { ports: 1 });
  await priceBy(id, ruleOf('fixed'));
  await floor.addCard('C000000000SILENT', 10_000);
  const station = await connectStation(floor, 'SILENT');
  await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  const from = Date.now();
  const start = { connectorId: 1, idTag: 'C000000000SILENT', meterStart: 0 };
  await station.call('StartTransaction', { ...start, timestamp: toIso(instant(from)) });
  const asksToStop = () => station.asked.filter(([action]) => action === 'RemoteStopTransaction').length;
  const heartbeatAfter = async (minutes: number) => {
    floor.clock.now = instant(from + minutes * minuteMs);
    await station.call('Heartbeat', {});
  };
  await heartbeatAfter(239);
  await heartbeatAfter(240.5);
  await expect.poll(asksToStop).toBe(1);
  await heartbeatAfter(240.8);
  await heartbeatAfter(241.5);
  await expect.poll(asksToStop).toBe(2);
  floor.clock.now = null;
  await station.end();
});

test('a station’s own bill of a prepaid charge is billed up to what was paid, and is in order', async () => {
  const station = await openNamedStation(floor, '32010600000884');
  const rule = { ...ruleOf('prepaid'), slots: testTariff.slots };
  await priceBy(station.id, rule);
  const cardId = await floor.addCard('E000000000000004', 9_000);
  const { transaction = '' } = await station.request({ kind: 'card', cardNumber: 'E000000000000004' });
  await station.begin(transaction);
  await station.record(transaction, {
    bill: billOf(dayEnergiesWh, { tariff: rule }),
    cardNumber: 'E000000000000004',
  });
  expect(await orderAt(station.id)).toMatchObject({
    state: 'completed',
    priced_by: 'station_periods',
    energy_wh: 120_000,
    amount_fen: 500,
  });
  expect((await flagsAt(station.id)).map(({ rule }) => rule)).toEqual(['amount_above_prepaid']);
  expect(await floor.balanceOf(`card:${cardId}`)).toBe(8_500);
});

describe('a card shown at a station whose rule has choices', () => {
  test.each([
    ['fixed', 'FIX', evenPrice, 3_000, 500],
    ['fixed', 'FIX-ZERO', nothing, 3_000, 500],
    ['prepaid', 'PRE', evenPrice, 3_000, 300],
  ] as const)(
    'a card at a %s rule pays for its first choice (%s)',
    async (kind, number, price, energyWh, amountFen) => {
      const { id } = await floor.addStation(number, { ports: 1 });
      await priceBy(id, ruleOf(kind, price));
      const card = `C00000000${number}`;
      const cardId = await floor.addCard(card, 10_000);
      const charge = await swipe(number, card, energyWh);
      expect(charge.statuses).toEqual(['Accepted', 'Accepted']);
      expect(await orderAt(id)).toMatchObject({ held_fen: 500, tariff: { chosen: { amountFen: 500, hours: 4 } } });
      await charge.stop();
      expect(await orderAt(id)).toMatchObject({ state: 'completed', amount_fen: amountFen, paid_fen: amountFen });
      expect(await floor.balanceOf(`card:${cardId}`)).toBe(10_000 - amountFen);
      expect(await flagsAt(id)).toEqual([]);
    },
  );

  test.each([
    ['fixed', evenPrice],
    ['fixed', nothing],
    ['prepaid', evenPrice],
  ] as const)('a card without the money of the first choice of a %s rule may not charge', async (kind, price) => {
    const number = `SHORT-${kind}-${price.service}`;
    const { id } = await floor.addStation(number, { ports: 1 });
    await priceBy(id, ruleOf(kind, price));
    const card = `D${kind}${price.service}`.toUpperCase();
    await floor.addCard(card, 499);
    const charge = await swipe(number, card, 0);
    expect(charge.statuses).toEqual(['Blocked', 'Blocked']);
    await charge.stop();
  });

  test('a station that prices by itself is promised no more than was prepaid, and at a fixed price enough to go on', async () => {
    for (const [kind, promisedFen, digit] of [
      ['prepaid', 500, 1],
      ['fixed', 50_000, 2],
    ] as const) {
      const station = await openNamedStation(floor, `3201060000088${digit}`);
      await priceBy(station.id, ruleOf(kind));
      const cardNumber = `E00000000000000${digit}`;
      await floor.addCard(cardNumber, 9_000);
      const decided = await station.request({ kind: 'card', cardNumber });
      expect(decided).toMatchObject({ authorization: 'accepted', availableFen: promisedFen });
      expect(await station.request({ kind: 'card', cardNumber })).toEqual(decided);
      expect(await orderAt(station.id)).toMatchObject({ held_fen: 500 });
    }
    const station = await openNamedStation(floor, '32010600000883');
    await priceBy(station.id, ruleOf('fixed', nothing));
    await floor.addCard('E000000000000003', 499);
    expect(await station.request({ kind: 'card', cardNumber: 'E000000000000003' })).toMatchObject({
      authorization: 'no_balance',
    });
  });
});
