import { wattHours, watts } from '@voltdeck/units/energy';
import { hourMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bill } from './bill.ts';
import { tierAt } from './hour-meter.ts';
import { advance, billOf, type MeterReading, notePower, openMeter } from './meter.ts';
import { priceCharge } from './price-charge.ts';
import { type HourTariff, stepLengthsMinutes } from './tariff.ts';

const start = 1_795_000_000_000;
const after = (minutes: number): Instant => instant(start + minutes * minuteMs);
const reading = (minutes: number, energyWh: number, powerW?: number): MeterReading => ({
  at: after(minutes),
  energyWh: wattHours(energyWh),
  ...(powerW === undefined ? {} : { powerW: watts(powerW) }),
});

const byHour: HourTariff = {
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: [
    { fromW: watts(0), toW: watts(200), feeFenPerStep: fen(30) },
    { fromW: watts(200), toW: watts(400), feeFenPerStep: fen(55) },
    { fromW: watts(400), toW: watts(1_000), feeFenPerStep: fen(90) },
  ],
  longestRunHours: 12,
};

function bill(tariff: HourTariff, readings: readonly MeterReading[]): Bill {
  const priced = priceCharge({ tariff, readings });
  if (!priced.ok) throw new Error(JSON.stringify(priced.error));
  return priced.value;
}

/** Lines as [tier's lower power, steps, Wh, fee]. */
function rows(priced: Bill): number[][] {
  return priced.lines.map((line) =>
    line.kind === 'hour' ? [line.tierFromW, line.steps, line.energyWh, line.serviceFeeFen] : [],
  );
}

describe('by average power', () => {
  test('three hours and a bit at 150 W are four started hours of the lowest tier', () => {
    // 3 h 10 min at 150 W = 475 Wh, 4 × 0.30 yuan.
    const priced = bill(byHour, [reading(0, 100), reading(190, 575)]);
    expect(rows(priced)).toEqual([[0, 4, 475, 120]]);
    expect(priced).toMatchObject({ energyWh: 475, electricityFeeFen: 0, serviceFeeFen: 120, amountFen: 120 });
    expect(priced.lines[0]).toMatchObject({ from: after(0), to: after(190), tierToW: 200, stepMinutes: 60 });
  });

  test('each hour has the tier of its own power', () => {
    // 250 Wh, 250 Wh, 150 Wh, 450 Wh: 2 × 0.55 + 0.30 + 0.90
    const readings = [reading(0, 0), reading(60, 250), reading(120, 500), reading(180, 650), reading(240, 1_100)];
    const priced = bill(byHour, readings);
    expect(rows(priced)).toEqual([
      [200, 2, 500, 110],
      [0, 1, 150, 30],
      [400, 1, 450, 90],
    ]);
    expect(priced.lines.map(({ from, to }) => [from, to])).toEqual([
      [after(0), after(120)],
      [after(120), after(180)],
      [after(180), after(240)],
    ]);
  });

  test('a step that has just ended is not followed by another', () => {
    expect(rows(bill(byHour, [reading(0, 0), reading(60, 100)]))).toEqual([[0, 1, 100, 30]]);
    expect(rows(bill(byHour, [reading(0, 0), reading(60, 100), reading(60, 110)]))).toEqual([[0, 1, 110, 30]]);
  });

  test('the tier of a step that has not ended is that of the time it ran', () => {
    // 50 Wh in 10 minutes are 300 W.
    expect(rows(bill(byHour, [reading(0, 0), reading(10, 50)]))).toEqual([[200, 1, 50, 55]]);
  });

  test('a watt-hour in the last two seconds does not count as 1,800 W', () => {
    const priced = bill(byHour, [reading(0, 0), reading(60, 100), reading(60 + 1 / 30, 101)]);
    expect(rows(priced)).toEqual([[0, 2, 101, 60]]);
  });

  test('a power on the border of two tiers belongs to the upper one, in every minute of a charge', () => {
    const byMinute: HourTariff = { ...byHour, stepMinutes: 1 };
    expect(rows(bill(byMinute, [reading(0, 0), reading(180, 600)]))).toEqual([[200, 180, 600, 180 * 55]]);
    expect(rows(bill(byMinute, [reading(0, 0), reading(180, 597)]))).toEqual([[0, 180, 597, 180 * 30]]);
  });

  test('a power above the end of the last tier is priced by the last tier', () => {
    expect(rows(bill(byHour, [reading(0, 0), reading(60, 5_000)]))).toEqual([[400, 1, 5_000, 90]]);
  });

  test('an hour in which nothing flowed costs the lowest tier, once anything has flowed', () => {
    expect(rows(bill(byHour, [reading(0, 0), reading(60, 300), reading(120, 300)]))).toEqual([
      [200, 1, 300, 55],
      [0, 1, 0, 30],
    ]);
  });

  test('a charge without energy costs nothing', () => {
    expect(bill(byHour, [reading(0, 40), reading(300, 40)])).toMatchObject({ lines: [], energyWh: 0, amountFen: 0 });
  });

  test('energy without duration costs one step', () => {
    expect(rows(bill(byHour, [reading(0, 0), reading(0, 100)]))).toEqual([[400, 1, 100, 90]]);
  });
});

test('tiers that do not begin at 0 W, which no checked tariff has, are a bug', () => {
  expect(() => tierAt({ ...byHour, tiers: byHour.tiers.slice(1) }, 100)).toThrow(Error);
});

describe('by peak power', () => {
  const byPeak: HourTariff = { ...byHour, measuredBy: 'peak' };

  test('the highest power reported in a step chooses its tier', () => {
    const readings = [reading(0, 0, 100), reading(30, 60, 450), reading(60, 110, 90), reading(120, 210, 120)];
    expect(rows(bill(byPeak, readings))).toEqual([
      [400, 1, 110, 90],
      [0, 1, 100, 30],
    ]);
    expect(rows(bill(byHour, readings))).toEqual([[0, 2, 210, 60]]);
  });

  test('a power reported as a step ends belongs to that step', () => {
    expect(rows(bill(byPeak, [reading(0, 0), reading(60, 100, 300), reading(120, 200)]))).toEqual([
      [200, 1, 100, 55],
      [0, 1, 100, 30],
    ]);
  });

  test('a power reported without a register counts as one reported with it', () => {
    const registers = [reading(0, 0), reading(170, 500)];
    const told = [
      [30, 150],
      [60, 300],
      [90, 450],
      [120, 90],
      [150, 250],
    ] as const;
    const powers = told.map(([minutes, powerW]) => ({ at: after(minutes), powerW: watts(powerW) }));
    const priced = priceCharge({ tariff: byPeak, readings: registers, powers });
    if (!priced.ok) throw new Error(JSON.stringify(priced.error));
    // 300 W is of the first hour, 450 W of the second, 250 W of the third.
    expect(rows(priced.value)).toEqual([
      [200, 1, 176, 55],
      [400, 1, 177, 90],
      [200, 1, 147, 55],
    ]);
    expect(priceCharge({ tariff: byPeak, readings: registers, powers: powers.toReversed() })).toEqual(priced);
    expect(priceCharge({ tariff: byHour, readings: registers, powers })).toEqual(
      priceCharge({ tariff: byHour, readings: registers }),
    );
  });

  test('a power reported without a register chooses the tier of the running step at once', () => {
    const opened = openMeter(byPeak, after(0), wattHours(0));
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const noted = notePower(opened.value, { at: after(5), powerW: watts(450) });
    const advanced = advance(noted, reading(10, 20));
    if (!advanced.ok) throw new Error(JSON.stringify(advanced.error));
    expect(rows(billOf(advanced.value))).toEqual([[400, 1, 20, 90]]);
    // The power of a step that has ended, or from before the charge, comes too late.
    const later = advance(advanced.value, reading(70, 40));
    if (!later.ok) throw new Error(JSON.stringify(later.error));
    for (const minutes of [-1, 30]) {
      expect(notePower(later.value, { at: after(minutes), powerW: watts(900) })).toEqual(later.value);
    }
  });

  test('powers reported beyond the longest run choose no tier', () => {
    const powers = [{ at: after(13 * 60), powerW: watts(900) }];
    const priced = priceCharge({ tariff: byPeak, readings: [reading(0, 0), reading(14 * 60, 1_400)], powers });
    expect(priced.ok && rows(priced.value)).toEqual([
      [0, 12, 1_200, 360],
      [0, 0, 200, 0],
    ]);
  });

  test('the peak power without reported powers is the average', () => {
    expect(rows(bill(byPeak, [reading(0, 0), reading(60, 250)]))).toEqual([[200, 1, 250, 55]]);
  });
});

describe('the longest run', () => {
  test('the longest run ends what is charged for, and the rest is on the bill without a fee', () => {
    // 14 hours at 100 W under a rule of 12.
    const priced = bill(byHour, [reading(0, 0), reading(14 * 60, 1_400)]);
    expect(rows(priced)).toEqual([
      [0, 12, 1_200, 360],
      [0, 0, 200, 0],
    ]);
    expect(priced.lines[1]).toMatchObject({ from: after(12 * 60), to: after(14 * 60) });
    expect(priced).toMatchObject({ energyWh: 1_400, amountFen: 360 });
  });

  test('a charge that ends exactly at the longest run has no line beyond it', () => {
    expect(rows(bill(byHour, [reading(0, 0), reading(12 * 60, 1_200)]))).toEqual([[0, 12, 1_200, 360]]);
    expect(rows(bill(byHour, [reading(0, 0), reading(12 * 60, 1_200), reading(15 * 60, 1_200)]))).toEqual([
      [0, 12, 1_200, 360],
    ]);
  });
});

const anyTariff: fc.Arbitrary<HourTariff> = fc
  .record({
    stepMinutes: fc.constantFrom(...stepLengthsMinutes),
    measuredBy: fc.constantFrom('average' as const, 'peak' as const),
    borders: fc.uniqueArray(fc.integer({ min: 1, max: 1_500 }), { maxLength: 6 }),
    fees: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 7, maxLength: 7 }),
    isOpen: fc.boolean(),
    longestRunHours: fc.integer({ min: 1, max: 24 }),
  })
  .map(({ stepMinutes, measuredBy, borders, fees, isOpen, longestRunHours }) => {
    const powers = [0, ...borders.sort((a, b) => a - b)];
    const tiers = powers.map((fromW, index) => {
      const toW = powers[index + 1] ?? (isOpen ? null : fromW + 500);
      return { fromW: watts(fromW), toW: toW === null ? null : watts(toW), feeFenPerStep: fen(fees[index] ?? 0) };
    });
    return { kind: 'hour', stepMinutes, measuredBy, tiers, longestRunHours };
  });
const anyReadings: fc.Arbitrary<MeterReading[]> = fc
  .array(
    fc.record({
      gapMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * minuteMs),
        fc.integer({ min: 1, max: 4 * hourMs }),
      ),
      riseWh: fc.oneof(fc.integer({ min: 0, max: 900 }), fc.integer({ min: -50, max: 0 })),
      powerW: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
    }),
    { maxLength: 16 },
  )
  .map((moves) => {
    let now = start;
    let energyWh = 50_000;
    const readings: MeterReading[] = [{ at: instant(now), energyWh: wattHours(energyWh) }];
    for (const { gapMs, riseWh, powerW } of moves) {
      now += gapMs;
      energyWh += riseWh;
      readings.push({
        at: instant(now),
        energyWh: wattHours(energyWh),
        powerW: powerW === undefined ? undefined : watts(powerW),
      });
    }
    return readings;
  });
const anyCharge = fc.record({ tariff: anyTariff, readings: anyReadings });

/** The rule again, step by step from its definition: the fee of every started step. */
function feesByDefinition(tariff: HourTariff, readings: readonly MeterReading[]): number[] {
  const sorted = [...readings].sort((a, b) => a.at - b.at || a.energyWh - b.energyWh);
  let highest = 0;
  const points = sorted.map((point) => {
    highest = Math.max(highest, point.energyWh);
    return { ...point, milliWh: highest * 1_000 };
  });
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || first.milliWh === last.milliWh) return [];
  // After any jump at `when`: a jump belongs to the step that ends there.
  const registerAt = (when: number): number => {
    const left = points.findLast((point) => point.at <= when);
    const right = points.find((point) => point.at > when);
    if (left === undefined || right === undefined) return left?.milliWh ?? first.milliWh;
    const share = (BigInt(when - left.at) * 2n * BigInt(right.milliWh - left.milliWh)) / BigInt(right.at - left.at);
    return left.milliWh + Number((share + 1n) / 2n);
  };
  const lengthMs = tariff.stepMinutes * minuteMs;
  const started = Math.max(1, Math.ceil((last.at - first.at) / lengthMs));
  return Array.from({ length: Math.min(started, (tariff.longestRunHours * 60) / tariff.stepMinutes) }, (_, index) => {
    const from = first.at + index * lengthMs;
    const to = Math.min(from + lengthMs, last.at);
    const milliWh = registerAt(to) - (index === 0 ? first.milliWh : registerAt(from));
    const reported = points.filter(({ at }) => at <= to && (at > from || index === 0)).map(({ powerW }) => powerW ?? 0);
    const averageW = Math.round((milliWh * 3_600) / Math.max(to - from, minuteMs));
    const powerW = tariff.measuredBy === 'peak' ? Math.max(averageW, ...reported) : averageW;
    const tier = tariff.tiers.find(({ fromW, toW }) => powerW >= fromW && (toW === null || powerW < toW));
    return (tier ?? tariff.tiers.at(-1))?.feeFenPerStep ?? Number.NaN;
  });
}

describe('for any tariff by time and any readings', () => {
  test('the fee is that of every started step by definition, and energy is conserved', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        const priced = bill(tariff, readings);
        const fees = feesByDefinition(tariff, readings);
        const stepFees = priced.lines.flatMap((line) =>
          line.kind === 'hour' ? Array.from({ length: line.steps }, () => line.feeFenPerStep) : [],
        );
        expect(stepFees).toEqual(fees);
        expect(priced.amountFen).toBe(fees.reduce((sum, fee) => sum + fee, 0));
        expect(priced.lines.reduce((sum, line) => sum + line.serviceFeeFen, 0)).toBe(priced.amountFen);
        expect(priced.lines.reduce((sum, line) => sum + line.energyWh, 0)).toBe(priced.energyWh);
        const registers = readings.map(({ energyWh }) => energyWh);
        const startsAt = readings.filter(({ at }) => at === start).map(({ energyWh }) => energyWh);
        expect(priced.energyWh).toBe(Math.max(...registers) - Math.min(...startsAt));
      }),
      { numRuns: 500 },
    );
  });

  test('a meter fed reading by reading ends with the same bill, in whatever order they are priced', () => {
    fc.assert(
      fc.property(anyCharge, ({ tariff, readings }) => {
        const sorted = [...readings].sort((a, b) => a.at - b.at || a.energyWh - b.energyWh);
        let meter = openMeter(tariff, instant(start), sorted[0]?.energyWh ?? wattHours(0));
        for (const next of sorted) {
          if (!meter.ok) throw new Error(JSON.stringify(meter.error));
          const before = JSON.stringify(meter.value);
          const advanced = advance(meter.value, next);
          expect(JSON.stringify(meter.value)).toBe(before);
          meter = advanced;
        }
        if (!meter.ok) throw new Error(JSON.stringify(meter.error));
        expect(billOf(meter.value)).toEqual(bill(tariff, readings));
        expect(bill(tariff, [...readings].reverse())).toEqual(bill(tariff, readings));
        expect(bill(tariff, [...readings, ...readings])).toEqual(bill(tariff, readings));
      }),
    );
  });
});
