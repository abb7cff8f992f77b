import { wattHours, watts } from '@voltdeck/units/energy';
import { dayMs, hourMs, type Instant, instant, minuteMs, parseIso } from '@voltdeck/units/instant';
import { type PriceE5, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bill } from './bill.ts';
import { slotAt } from './energy-meter.ts';
import { advance, billOf, type Meter, type MeterReading, openMeter } from './meter.ts';
import { meterOf, normaliseReadings, priceCharge } from './price-charge.ts';
import { chargeMsMax } from './price-fault.ts';
import { type EnergyTariff, type Period, periods } from './tariff.ts';
import { formatTimeOfDay } from './time-of-day.ts';

/** "06:30" on the first day, or a date and time, in Asia/Shanghai. */
function at(time: string): Instant {
  const parsed = parseIso(time.includes('T') ? `${time}+08:00` : `2026-11-21T${time}:00+08:00`);
  if (parsed === null) throw new Error(`not a time: ${time}`);
  return parsed;
}

const reading = (time: string, energyWh: number): MeterReading => ({ at: at(time), energyWh: wattHours(energyWh) });
const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});

const day: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(120_000, 80_000),
    peak: price(103_210, 60_000),
    flat: price(70_005, 50_000),
    valley: price(31_234, 40_000),
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '08:00', period: 'flat' },
    { start: '08:00', end: '11:00', period: 'peak' },
    { start: '11:00', end: '14:00', period: 'flat' },
    { start: '14:00', end: '18:00', period: 'flat' },
    { start: '18:00', end: '21:00', period: 'sharp' },
    { start: '21:00', end: '24:00', period: 'flat' },
  ],
};

function bill(tariff: EnergyTariff, readings: readonly MeterReading[]): Bill {
  const priced = priceCharge({ tariff, readings });
  if (!priced.ok) throw new Error(JSON.stringify(priced.error));
  return priced.value;
}

/** Lines as [period, Wh, electricity fee, service fee], for reading beside a hand calculation. */
function rows(priced: Bill): (string | number)[][] {
  return priced.lines.map((line) => [
    line.kind === 'energy' ? line.period : line.kind,
    line.energyWh,
    line.electricityFeeFen,
    line.serviceFeeFen,
  ]);
}

describe('calculated by hand', () => {
  test('two hours across three periods, 14.001 kWh at an even power', () => {
    // 06:30-07:00 is a quarter: 3500.25 -> 3500 Wh. Until 08:00 three quarters: 10500.75 -> 10501, less 3500 = 7001 Wh.
    // The rest is 3500 Wh.
    // valley 3.500 × 0.31234 = 1.09319 -> 1.09    3.500 × 0.40 = 1.40
    // flat   7.001 × 0.70005 = 4.90105... -> 4.90  7.001 × 0.50 = 3.5005 -> 3.50
    // peak   3.500 × 1.03210 = 3.61235 -> 3.61    3.500 × 0.60 = 2.10
    const priced = bill(day, [reading('06:30', 1_000), reading('08:30', 15_001)]);
    expect(rows(priced)).toEqual([
      ['valley', 3_500, 109, 140],
      ['flat', 7_001, 490, 350],
      ['peak', 3_500, 361, 210],
    ]);
    expect(priced).toMatchObject({ energyWh: 14_001, electricityFeeFen: 960, serviceFeeFen: 700, amountFen: 1_660 });
    expect(priced.lines.map(({ from, to }) => [from, to])).toEqual([
      [at('06:30'), at('07:00')],
      [at('07:00'), at('08:00')],
      [at('08:00'), at('08:30')],
    ]);
  });

  test('two hours across three periods with a reading every 15 minutes and a changing power', () => {
    // Quarter hours: 1800 1750 | 1700 1700 1650 1500 | 900 401 Wh, so every border has a reading of its own.
    // valley 3.550: 1.108807 -> 1.11, 1.42   flat 6.550: 4.5853275 -> 4.59, 3.275 -> 3.28 (half up)
    // peak 1.301: 1.3427621 -> 1.34, 0.7806 -> 0.78
    const registers = [0, 1_800, 3_550, 5_250, 6_950, 8_600, 10_100, 11_000, 11_401];
    const start = at('06:30');
    const readings = registers.map((energyWh, index) => ({
      at: instant(start + index * 15 * minuteMs),
      energyWh: wattHours(energyWh),
    }));
    const priced = bill(day, readings);
    expect(rows(priced)).toEqual([
      ['valley', 3_550, 111, 142],
      ['flat', 6_550, 459, 328],
      ['peak', 1_301, 134, 78],
    ]);
    expect(priced.amountFen).toBe(1_252);
  });

  test('across midnight: one line for each day', () => {
    // 21:00-24:00 flat, then 00:00-07:00 valley. 23:20 to 00:20, 7001 Wh: two thirds = 4667.33 -> 4667, rest 2334.
    // flat 4.667 × 0.70005 = 3.26713 -> 3.27, × 0.5 = 2.3335 -> 2.33; valley 2.334 × 0.31234 = 0.729 -> 0.73, 0.9336 -> 0.93
    const priced = bill(day, [reading('2026-11-21T23:20:00', 5), reading('2026-11-22T00:20:00', 7_006)]);
    expect(rows(priced)).toEqual([
      ['flat', 4_667, 327, 233],
      ['valley', 2_334, 73, 93],
    ]);
    expect(priced.amountFen).toBe(726);
  });

  test('across midnight in a slot of the whole day: still one line for each day', () => {
    const whole: EnergyTariff = { ...day, slots: [{ start: '00:00', end: '24:00', period: 'flat' }] };
    const priced = bill(whole, [reading('2026-11-21T23:30:00', 0), reading('2026-11-23T00:30:00', 25_000)]);
    // 25 kWh in 25 hours: 0.5 | 24 | 0.5 kWh.
    expect(rows(priced)).toEqual([
      ['flat', 500, 35, 25],
      ['flat', 24_000, 1_680, 1_200],
      ['flat', 500, 35, 25],
    ]);
    expect(priced.lines[1]).toMatchObject({ from: at('2026-11-22T00:00'), to: at('2026-11-23T00:00') });
  });

  test('across 07:00 between two readings 40 minutes apart', () => {
    // 06:45 to 07:25, 1000 Wh: 15 of 40 minutes = 375 Wh valley, 625 Wh flat.
    // 0.375 × 0.31234 = 0.1171 -> 0.12, 0.15; 0.625 × 0.70005 = 0.43753 -> 0.44, 0.3125 -> 0.31
    const priced = bill(day, [reading('06:45', 0), reading('07:25', 1_000)]);
    expect(rows(priced)).toEqual([
      ['valley', 375, 12, 15],
      ['flat', 625, 44, 31],
    ]);
  });

  test('adjacent slots of one period stay separate lines, each rounded for itself', () => {
    // 13:30 to 14:30, 1000 Wh: 500 each; 0.5 × 0.70005 = 0.350025 -> 0.35 twice.
    expect(rows(bill(day, [reading('13:30', 0), reading('14:30', 1_000)]))).toEqual([
      ['flat', 500, 35, 25],
      ['flat', 500, 35, 25],
    ]);
  });

  test('half a fen is rounded up', () => {
    const half: EnergyTariff = { ...day, prices: { ...day.prices, flat: price(50_000, 49_999) } };
    // 10 Wh × 0.50000 = 0.5 fen -> 1; × 0.49999 -> 0.49999 fen -> 0
    expect(rows(bill(half, [reading('12:00', 0), reading('12:30', 10)]))).toEqual([['flat', 10, 1, 0]]);
  });
});

describe('slots', () => {
  test('a slot in which nothing flowed makes no line', () => {
    const readings = [reading('06:30', 0), reading('07:00', 100), reading('08:00', 100), reading('08:30', 250)];
    expect(rows(bill(day, readings)).map(([period, energyWh]) => [period, energyWh])).toEqual([
      ['valley', 100],
      ['peak', 150],
    ]);
  });

  test('a charge without energy has no lines and costs nothing', () => {
    expect(bill(day, [reading('06:30', 700), reading('20:30', 700)])).toEqual({
      lines: [],
      energyWh: 0,
      electricityFeeFen: 0,
      serviceFeeFen: 0,
      amountFen: 0,
    });
    expect(bill(day, [reading('06:30', 700)]).lines).toEqual([]);
  });

  test.each([
    ['06:59', 'valley'],
    ['07:00', 'flat'],
    ['07:01', 'flat'],
    ['00:00', 'valley'],
  ])('a jump at %s is priced as %s, the slot that contains that instant', (time, period) => {
    const jump = [reading(time, 100), reading(time, 900)];
    expect(rows(bill(day, jump)).map(([name, energyWh]) => [name, energyWh])).toEqual([[period, 800]]);
  });

  test('a jump at a border is priced after it, and what flowed evenly before it is priced before', () => {
    const readings = [reading('06:30', 0), reading('07:00', 100), reading('07:00', 900), reading('07:30', 1_000)];
    expect(rows(bill(day, readings)).map(([name, energyWh]) => [name, energyWh])).toEqual([
      ['valley', 100],
      ['flat', 900],
    ]);
  });

  test('a jump at midnight belongs to the new day', () => {
    const readings = [reading('23:30', 0), reading('2026-11-22T00:00:00', 0), reading('2026-11-22T00:00:00', 50)];
    expect(bill(day, readings).lines).toMatchObject([{ period: 'valley', from: at('2026-11-22T00:00:00') }]);
  });
});

describe('readings', () => {
  test('readings are sorted, the lowest and the highest of one instant are kept, and the register never falls', () => {
    const normal = normaliseReadings([
      reading('08:00', 300),
      reading('07:00', 100),
      reading('07:30', 250),
      reading('07:30', 200),
      reading('07:30', 150),
      reading('07:45', 90),
      reading('08:00', 300),
    ]);
    expect(normal).toEqual([
      reading('07:00', 100),
      reading('07:30', 150),
      reading('07:30', 250),
      reading('07:45', 250),
      reading('08:00', 300),
    ]);
  });

  test('readings of one instant below an earlier register become one', () => {
    expect(normaliseReadings([reading('07:00', 500), reading('07:30', 10), reading('07:30', 20)])).toEqual([
      reading('07:00', 500),
      reading('07:30', 500),
    ]);
  });

  test('readings of one instant keep the highest power', () => {
    const powers = [900, 1_200, 300].map((powerW) => ({ ...reading('07:00', 5), powerW: watts(powerW) }));
    expect(normaliseReadings([...powers, reading('07:00', 5)])).toEqual([
      { ...reading('07:00', 5), powerW: watts(1_200) },
    ]);
  });

  test('readings that fall back to zero and climb again count only once they pass the highest', () => {
    const readings = [reading('09:00', 1_000), reading('09:10', 1_500), reading('09:20', 0), reading('09:30', 1_600)];
    expect(bill(day, readings).energyWh).toBe(600);
  });

  test('pricing does not change the readings', () => {
    const readings = Object.freeze([reading('08:00', 300), reading('07:00', 100)]);
    bill(day, readings);
    expect(readings[0]).toEqual(reading('08:00', 300));
  });
});

describe('what cannot be priced', () => {
  test('a tariff with a missing price is a fault, never a free charge', () => {
    const { peak: _, ...prices } = day.prices;
    const broken = { ...day, prices } as EnergyTariff;
    expect(priceCharge({ tariff: broken, readings: [reading('07:00', 0), reading('08:00', 10)] })).toMatchObject({
      ok: false,
      error: {
        code: 'price.tariff_invalid',
        faults: [
          { code: 'tariff.price_missing', path: ['prices', 'peak', 'electricity'] },
          { code: 'tariff.price_missing', path: ['prices', 'peak', 'service'] },
        ],
      },
    });
  });

  test('a charge without readings cannot be priced', () => {
    expect(priceCharge({ tariff: day, readings: [] })).toEqual({ ok: false, error: { code: 'price.no_readings' } });
  });

  test('a charge longer than 31 days, such as one begun by a clock in 1970, cannot be priced', () => {
    const readings = [
      { at: instant(0), energyWh: wattHours(0) },
      { at: at('07:00'), energyWh: wattHours(20_000) },
    ];
    expect(priceCharge({ tariff: day, readings })).toEqual({
      ok: false,
      error: { code: 'price.charge_too_long', from: 0, to: at('07:00') },
    });
  });

  test('a charge of exactly 31 days is priced', () => {
    const start = at('00:00');
    const readings = [
      { at: start, energyWh: wattHours(0) },
      { at: instant(start + chargeMsMax), energyWh: wattHours(744_000) },
    ];
    // 744 hours at 1 kW, 31 days of seven slots, and the last instant begins no slot.
    expect(bill(day, readings).lines).toHaveLength(31 * 7);
  });

  test.each([-1, 1e12 + 1])('a register of %d Wh cannot be priced', (energyWh) => {
    const error = { code: 'price.register_out_of_range', at: at('07:00'), energyWh };
    const nonsense = reading('07:00', energyWh);
    expect(priceCharge({ tariff: day, readings: [nonsense] })).toEqual({ ok: false, error });
    const readings = [reading('06:00', 5), nonsense, reading('06:30', 6)];
    const priced = priceCharge({ tariff: day, readings });
    // Below zero it has merely fallen, and is held at the register before it.
    expect(priced.ok).toBe(energyWh < 0);
    if (!priced.ok) expect(priced.error).toEqual(error);
  });

  test('a live reading older than the last is a fault, and the caller prices the whole charge', () => {
    const meter = meterOf({ tariff: day, readings: [reading('07:00', 0), reading('07:30', 10)] });
    expect(meter.ok && advance(meter.value, reading('07:29', 5))).toEqual({
      ok: false,
      error: { code: 'price.reading_late', at: at('07:29'), meteredUntil: at('07:30') },
    });
  });
});

const anyPrice = fc.record({
  electricity: fc.integer({ min: 0, max: 300_000 }).map(priceE5),
  service: fc.integer({ min: 0, max: 300_000 }).map(priceE5),
});
const anyTariff: fc.Arbitrary<EnergyTariff> = fc
  .record({
    prices: fc.record({ sharp: anyPrice, peak: anyPrice, flat: anyPrice, valley: anyPrice }),
    halfHours: fc.uniqueArray(fc.integer({ min: 1, max: 47 }), { maxLength: 47 }),
    classes: fc.array(fc.constantFrom(...periods), { minLength: 48, maxLength: 48 }),
  })
  .map(({ prices, halfHours, classes }) => {
    const borders = [0, ...halfHours.sort((a, b) => a - b), 48].map((halfHour) => formatTimeOfDay(halfHour * 30));
    const slots = borders.slice(1).map((end, index) => {
      return { start: borders[index] ?? '', end, period: classes[index] ?? 'flat' };
    });
    return { kind: 'energy', prices, slots };
  });

/** Gaps that land on borders, at one instant, and anywhere; a register that mostly rises. */
const anyGapMs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 12 }).map((halfHours) => halfHours * 30 * minuteMs),
  fc.integer({ min: 1, max: 3 * hourMs }),
  fc.integer({ min: 1, max: dayMs }),
);
const anyRiseWh = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000_000 }) },
);
const anyReadings: fc.Arbitrary<MeterReading[]> = fc
  .record({
    startAt: fc.integer({ min: 0, max: 4 * 48 }).map((half) => at('2026-02-27T00:00:00') + half * 30 * minuteMs),
    offsetMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: hourMs })),
    startWh: fc.integer({ min: 5_000_000, max: 900_000_000 }),
    moves: fc.array(fc.tuple(anyGapMs, anyRiseWh), { maxLength: 24 }),
  })
  .map(({ startAt, offsetMs, startWh, moves }) => {
    let now = startAt + offsetMs;
    let energyWh = startWh;
    const readings = [{ at: instant(now), energyWh: wattHours(energyWh) }];
    for (const [gapMs, riseWh] of moves) {
      now += gapMs;
      energyWh = Math.max(0, energyWh + riseWh);
      readings.push({ at: instant(now), energyWh: wattHours(energyWh) });
    }
    return readings;
  });
const anyCharge = fc.record({ tariff: anyTariff, readings: anyReadings });

/**
 * The rule written again, naively and in whole numbers: walks the half hours from the first to the last, reads the
 * register at both ends, and adds up the half hours of one slot of one day.
 */
function linesByDefinition(tariff: EnergyTariff, readings: readonly MeterReading[]): [number, Period, number][] {
  const sorted = [...readings].sort((a, b) => a.at - b.at || a.energyWh - b.energyWh);
  let highest = 0;
  const points = sorted.map((point) => {
    highest = Math.max(highest, point.energyWh);
    return { at: BigInt(point.at), energyWh: BigInt(highest) };
  });
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  // Before any jump at `when`: a jump belongs to what begins there.
  const registerAt = (when: bigint): bigint => {
    if (when <= first.at) return first.energyWh;
    const next = points.findIndex((point) => point.at >= when);
    const right = points[next];
    const left = points[next - 1];
    if (right === undefined || left === undefined) return last.energyWh;
    const spanMs = right.at - left.at;
    const risen = (right.energyWh - left.energyWh) * (when - left.at);
    return left.energyWh + (2n * risen + spanMs) / (2n * spanMs);
  };
  const startOf = (time: string) => BigInt(Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000n;
  const dayLength = 86_400_000n;
  const lines: [number, Period, number][] = [];
  const eightHours = 28_800_000n;
  let midnight = ((first.at + eightHours) / dayLength) * dayLength - eightHours;
  for (; midnight <= last.at; midnight += dayLength) {
    for (const slot of tariff.slots) {
      const from = midnight + startOf(slot.start);
      const to = midnight + startOf(slot.end);
      const energyWh = registerAt(to) - registerAt(from);
      if (energyWh > 0n) lines.push([Math.max(Number(from), Number(first.at)), slot.period, Number(energyWh)]);
    }
  }
  return lines;
}

const lineKeys = (priced: Bill): [number, Period, number][] =>
  priced.lines.flatMap((line): [number, Period, number][] =>
    line.kind === 'energy' ? [[line.from, line.period, line.energyWh]] : [],
  );

/** The bill of a meter fed reading by reading. */
function meteredBill(tariff: EnergyTariff, readings: readonly MeterReading[]): Bill {
  const [first, ...rest] = readings;
  if (first === undefined) throw new Error('no readings');
  let meter: Meter = expectOk(openMeter(tariff, first.at, first.energyWh));
  for (const next of rest) {
    meter = expectOk(advance(meter, next));
    billOf(meter);
  }
  return billOf(meter);
}

function expectOk<Value>(result: { ok: true; value: Value } | { ok: false; error: unknown }): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const bySorting = (readings: readonly MeterReading[]) =>
  [...readings].sort((a, b) => a.at - b.at || a.energyWh - b.energyWh);

describe('for any tariff and any readings', () => {
  test('the lines are those of the rule applied by definition', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        expect(lineKeys(bill(tariff, readings))).toEqual(linesByDefinition(tariff, readings));
      }),
      { numRuns: 500 },
    );
  });

  test('energy is conserved and the amount is the sum of the fees of the lines', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        const priced = bill(tariff, readings);
        const sorted = bySorting(readings);
        const registers = sorted.map(({ energyWh }) => energyWh);
        const sum = (pick: (line: Bill['lines'][number]) => number) =>
          priced.lines.reduce((total, line) => total + pick(line), 0);
        expect(priced.energyWh).toBe(Math.max(...registers) - (registers[0] ?? 0));
        expect(sum((line) => line.energyWh)).toBe(priced.energyWh);
        expect(sum((line) => line.electricityFeeFen)).toBe(priced.electricityFeeFen);
        expect(sum((line) => line.serviceFeeFen)).toBe(priced.serviceFeeFen);
        expect(priced.electricityFeeFen + priced.serviceFeeFen).toBe(priced.amountFen);
      }),
    );
  });

  test('the fee of each line is exact to half a fen', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        for (const line of bill(tariff, readings).lines) {
          if (line.kind !== 'energy') throw new Error('an energy tariff makes energy lines');
          const errorE6 = (feeFen: number, priceE5OfLine: PriceE5) =>
            BigInt(feeFen) * 1_000_000n - BigInt(line.energyWh) * BigInt(priceE5OfLine);
          for (const error of [
            errorE6(line.electricityFeeFen, line.electricityPriceE5),
            errorE6(line.serviceFeeFen, line.servicePriceE5),
          ]) {
            expect(error > -500_000n && error <= 500_000n).toBe(true);
          }
        }
      }),
    );
  });

  test('the lines follow one another in time, inside the charge, each inside one slot of one day', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        const times = readings.map((point) => point.at);
        let before = Math.min(...times);
        for (const { from, to } of bill(tariff, readings).lines) {
          expect(from).toBeGreaterThanOrEqual(before);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(Math.floor((from + 8 * hourMs) / dayMs)).toBe(
            Math.floor((Math.max(from, to - 1) + 8 * hourMs) / dayMs),
          );
          before = to;
        }
        expect(before).toBeLessThanOrEqual(Math.max(...times));
      }),
    );
  });

  test('a meter fed reading by reading ends with the same bill', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        expect(meteredBill(tariff, bySorting(readings))).toEqual(bill(tariff, readings));
      }),
    );
  });

  test('advancing a meter never changes it', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        const [first, ...rest] = bySorting(readings);
        if (first === undefined) return;
        let meter = expectOk(openMeter(tariff, first.at, first.energyWh));
        for (const next of rest) {
          const before = JSON.stringify(meter);
          const after = expectOk(advance(meter, next));
          expect(JSON.stringify(meter)).toBe(before);
          meter = after;
        }
      }),
      { numRuns: 30 },
    );
  });

  test('the order of readings is irrelevant', () => {
    const shuffled = anyCharge.chain(({ tariff, readings }) =>
      fc.record({
        tariff: fc.constant(tariff),
        readings: fc.constant(readings),
        arrived: fc.shuffledSubarray(readings, { minLength: readings.length, maxLength: readings.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ tariff, readings, arrived }) => {
        expect(bill(tariff, arrived)).toEqual(bill(tariff, readings));
      }),
    );
  });

  test('repeated readings change nothing', () => {
    const doubled = anyCharge.chain(({ tariff, readings }) =>
      fc.record({ tariff: fc.constant(tariff), readings: fc.constant(readings), again: fc.subarray(readings) }),
    );
    fc.assert(
      fc.property(doubled, ({ tariff, readings, again }) => {
        expect(bill(tariff, [...again, ...readings])).toEqual(bill(tariff, readings));
        expect(bill(tariff, [...readings, ...again])).toEqual(bill(tariff, readings));
      }),
    );
  });

  test('a higher price never makes a bill cheaper', () => {
    const dearer = fc.record({
      charge: anyCharge,
      period: fc.constantFrom(...periods),
      kind: fc.constantFrom('electricity' as const, 'service' as const),
      more: fc.integer({ min: 1, max: 100_000 }),
    });
    fc.assert(
      fc.property(dearer, ({ charge: { tariff, readings }, period, kind, more }) => {
        const raised = { ...tariff.prices[period], [kind]: priceE5(tariff.prices[period][kind] + more) };
        const after = bill({ ...tariff, prices: { ...tariff.prices, [period]: raised } }, readings);
        expect(after.amountFen).toBeGreaterThanOrEqual(bill(tariff, readings).amountFen);
      }),
    );
  });
});

/**
 * Let F be the straight line between two readings, and each border b be cut at round(F(b)).
 *
 * A reading on F itself: F is unchanged, and rounding half up commutes with the whole register it is counted from, so
 * every cut is the same. The bound is 0.
 *
 * A reading beside F, at the nearest whole Wh: F becomes F + d, where d is a tent that is 0 at both old readings and at
 * most 1/2 in size at the new one, with one sign everywhere. So each cut moves by 0 or by 1 Wh, all in one direction; a
 * line, being the difference of two cuts, changes by at most 1 Wh. The sum does not change at all.
 */
describe('a reading added between two others', () => {
  const split = fc.record({
    tariff: anyTariff,
    startMinute: fc.integer({ min: 0, max: 2 * 1_440 }),
    parts: fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 })),
    rate: fc.integer({ min: 0, max: 3_000 }),
    riseWh: fc.integer({ min: 0, max: 200_000 }),
  });
  const between = (startMinute: number, [before, after]: [number, number]) => {
    const start = at('00:00') + startMinute * minuteMs;
    return [start, start + before * minuteMs, start + (before + after) * minuteMs] as const;
  };
  const point = (when: number, energyWh: number): MeterReading => ({
    at: instant(when),
    energyWh: wattHours(energyWh),
  });

  test('a reading added on the straight line changes no line at all', () => {
    fc.assert(
      fc.property(split, ({ tariff, startMinute, parts, rate }) => {
        const [start, middle, end] = between(startMinute, parts);
        const without = [point(start, 7), point(end, 7 + rate * (parts[0] + parts[1]))];
        const added = point(middle, 7 + rate * parts[0]);
        expect(lineKeys(bill(tariff, [...without, added]))).toEqual(lineKeys(bill(tariff, without)));
      }),
    );
  });

  test('a reading added within half a watt-hour of the straight line changes each line by 1 Wh at most, and the sum not at all', () => {
    let moved = 0;
    fc.assert(
      fc.property(split, ({ tariff, startMinute, parts, riseWh }) => {
        const [start, middle, end] = between(startMinute, parts);
        const without = [point(start, 7), point(end, 7 + riseWh)];
        const added = point(middle, 7 + Math.round((riseWh * parts[0]) / (parts[0] + parts[1])));
        const before = bill(tariff, without);
        const after = bill(tariff, [...without, added]);
        const energyOf = (priced: Bill) => new Map(lineKeys(priced).map(([from, , energyWh]) => [from, energyWh]));
        const was = energyOf(before);
        const is = energyOf(after);
        for (const from of new Set([...was.keys(), ...is.keys()])) {
          const change = (is.get(from) ?? 0) - (was.get(from) ?? 0);
          expect(Math.abs(change)).toBeLessThanOrEqual(1);
          if (change !== 0) moved += 1;
        }
        expect(after.energyWh).toBe(before.energyWh);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
    // The bound is tight.
    expect(moved).toBeGreaterThan(0);
  });
});

test('a vehicle that takes nothing for days leaves no trace in its meter', () => {
  const meter = expectOk(meterOf({ tariff: day, readings: [reading('06:00', 5), reading('2026-11-25T06:00:00', 5)] }));
  expect(meter).toMatchObject({ closed: [], energyWh: 5 });
});

test('a register of 0 to 1 TWh begins a charge, and no other', () => {
  const begin = (energyWh: number) => openMeter(day, at('06:00'), wattHours(energyWh));
  expect([begin(0).ok, begin(1e12).ok]).toEqual([true, true]);
  for (const energyWh of [-1, 1e12 + 1]) {
    expect(begin(energyWh)).toEqual({
      ok: false,
      error: { code: 'price.register_out_of_range', at: at('06:00'), energyWh },
    });
  }
});

test('slots that leave part of the day out, which no checked tariff has, are a bug', () => {
  expect(() => slotAt([], at('06:00'))).toThrow(Error);
});

test('a charge with 40,000 readings is metered with a bounded state', () => {
  const start = at('00:00');
  const readings = Array.from({ length: 40_000 }, (_, index) => ({
    at: instant(start + index * 60_000),
    energyWh: wattHours(index * 100),
  }));
  const meter = expectOk(meterOf({ tariff: day, readings }));
  expect(billOf(meter).energyWh).toBe(3_999_900);
  expect(meter.kind === 'energy' && meter.closed.length).toBeLessThanOrEqual(28 * 7);
});
