import { decideSettlement, type ReadRegister } from '@voltdeck/charging/charge/decide-settlement';
import type { StationBill } from '@voltdeck/charging/station-bill';
import { freeTariff } from '@voltdeck/tariffs/free-tariff';
import { withChoice, withSameChoice } from '@voltdeck/tariffs/rider-choice';
import type { EnergyTariff, HourTariff, Prepayment, RiderChoice, Tariff } from '@voltdeck/tariffs/tariff';
import { periods, prepaymentKinds } from '@voltdeck/tariffs/tariff';
import { formatTimeOfDay } from '@voltdeck/tariffs/time-of-day';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { TariffId } from '@voltdeck/units/id';
import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceBilling } from '../orders/price-billing.ts';
import { rehearseCharge, type SettledCharge } from './rehearse-charge.ts';

const day = Date.parse('2026-10-12T16:00:00Z');

const anyPrice = fc.integer({ min: 0, max: 200_000 });
const anyEnergyTariff: fc.Arbitrary<EnergyTariff> = fc
  .record({
    borders: fc.uniqueArray(fc.integer({ min: 1, max: 47 }), { maxLength: 6 }),
    order: fc.array(fc.constantFrom(...periods), { minLength: 7, maxLength: 7 }),
    prices: fc.array(anyPrice, { minLength: 8, maxLength: 8 }),
  })
  .map(({ borders, order, prices }) => {
    const edges = [0, ...borders.sort((a, b) => a - b), 48];
    const priceOf = (index: number) => ({
      electricity: priceE5(prices[2 * index] ?? 0),
      service: priceE5(prices[2 * index + 1] ?? 0),
    });
    return {
      kind: 'energy',
      prices: { sharp: priceOf(0), peak: priceOf(1), flat: priceOf(2), valley: priceOf(3) },
      slots: edges.slice(1).map((end, index) => ({
        start: formatTimeOfDay((edges[index] ?? 0) * 30),
        end: formatTimeOfDay(end * 30),
        period: order[index] ?? 'flat',
      })),
    };
  });
const anyHourTariff: fc.Arbitrary<HourTariff> = fc
  .record({
    stepMinutes: fc.constantFrom(1 as const, 30 as const, 60 as const),
    measuredBy: fc.constantFrom('average' as const, 'peak' as const),
    fees: fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 900 })),
    longestRunHours: fc.integer({ min: 1, max: 24 }),
  })
  .map(({ stepMinutes, measuredBy, fees, longestRunHours }) => ({
    kind: 'hour',
    stepMinutes,
    measuredBy,
    tiers: [
      { fromW: watts(0), toW: watts(500), feeFenPerStep: fen(fees[0]) },
      { fromW: watts(500), toW: null, feeFenPerStep: fen(fees[1]) },
    ],
    longestRunHours,
  }));
const anyChoice: fc.Arbitrary<RiderChoice> = fc.record({
  amountFen: fc.integer({ min: 1, max: 3_000 }).map(fen),
  hours: fc.option(fc.integer({ min: 1, max: 12 })),
  energyWh: fc.option(fc.integer({ min: 1, max: 20_000 }).map(wattHours)),
});
const anyPrepayment: fc.Arbitrary<Prepayment> = fc.record({
  kind: fc.constantFrom(...prepaymentKinds),
  choices: fc.array(anyChoice, { minLength: 1, maxLength: 3 }),
});
const anyTariff: fc.Arbitrary<Tariff> = fc
  .tuple(fc.oneof(anyEnergyTariff, anyHourTariff), fc.option(anyPrepayment))
  .map(([tariff, prepayment]) => (prepayment === null ? tariff : { ...tariff, prepayment }));

/** A finished charge with what its station sent, some of it nonsense. */
const anyCharge = fc.record({
  tariff: anyTariff,
  /** Of the rule's choices; it may have none, and a charge may be of none. */
  choice: fc.option(fc.nat(2)),
  other: anyTariff,
  running: fc.option(anyEnergyTariff),
  startMinute: fc.integer({ min: 0, max: 1_440 }),
  minutes: fc.integer({ min: 0, max: 900 }),
  powerW: fc.integer({ min: 0, max: 60_000 }),
  meterStartWh: fc.integer({ min: 0, max: 5_000_000 }),
  hasStart: fc.boolean(),
  hasStop: fc.boolean(),
  wasPlaced: fc.boolean(),
  inferred: fc.boolean(),
  readings: fc.array(
    fc.record({
      share: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      offWh: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.integer({ min: -500_000, max: 900_000 })),
      powerW: fc.option(fc.integer({ min: 0, max: 70_000 })),
      isEmpty: fc.boolean(),
    }),
    { maxLength: 20 },
  ),
  bill: fc.option(fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 4, maxLength: 4 })),
});

test('a rehearsal by the rule that priced a charge gives its bill to the fen, and by another one what that would have billed', () => {
  let billed = 0;
  fc.assert(
    fc.property(anyCharge, (drawn) => {
      const startedAt = instant(day + drawn.startMinute * minuteMs);
      const lastMs = drawn.minutes * minuteMs;
      const energyTenthsWh = drawn.bill?.reduce((sum, part) => sum + part, 0);
      const energyWh = Math.round(
        energyTenthsWh === undefined ? (drawn.powerW * drawn.minutes) / 60 : energyTenthsWh / 10,
      );
      const bill: StationBill | null =
        drawn.bill === null || energyTenthsWh === undefined
          ? null
          : {
              periods: periods.map((period, index) => {
                const tenths = drawn.bill?.[index] ?? 0;
                return { period, energyTenthsWh: tenths, priceE5: 100_000, amountE4: tenths };
              }),
              energyTenthsWh,
              amountE4: energyTenthsWh,
              meterStartTenthsWh: 0,
              meterStopTenthsWh: 0,
            };
      const readings: ReadRegister[] = drawn.readings
        .map(({ share, offWh, powerW, isEmpty }) => ({
          at: instant(startedAt + Math.round(lastMs * share)),
          energyWh: isEmpty ? null : Math.max(0, drawn.meterStartWh + Math.round(energyWh * share) + offWh),
          powerW,
        }))
        .sort((a, b) => a.at - b.at);
      const charge = {
        placedAt: instant(startedAt - 5 * minuteMs),
        begunAt: drawn.inferred ? startedAt : instant(startedAt + 300),
        startedAt,
        wasPlaced: drawn.wasPlaced,
        meterStartWh: drawn.hasStart ? wattHours(drawn.meterStartWh) : null,
      };
      const end = {
        endedAt: instant(startedAt + lastMs),
        meterStopWh: drawn.hasStop || bill !== null ? drawn.meterStartWh + energyWh : null,
        reason: 'local' as const,
      };
      const settledAt = instant(end.endedAt + hourMs);
      const ratedPowerW = 60_000;
      const known = { charge, end, readings, bill, ratedPowerW, isPricedByPeak: true, suspicion: null, now: settledAt };
      const decision = decideSettlement(known);
      if (decision.kind !== 'bill') return;
      const { billing } = decision;
      const chosen = drawn.choice === null ? undefined : drawn.tariff.prepayment?.choices[drawn.choice];
      const own = chosen === undefined ? drawn.tariff : withChoice(drawn.tariff, chosen);
      const settled = priceBilling(own, billing, drawn.running);
      if (!settled.ok) return;
      billed += 1;
      const stored: SettledCharge = {
        ...charge,
        tariffId: 7 as TariffId,
        tariff: own,
        meterStartWh: charge.meterStartWh ?? billing.meterStartWh,
        endedAt: billing.endedAt,
        meterStopWh: billing.meterStopWh,
        settledAt,
        stopReason: 'local',
        energyWh: settled.value.bill.energyWh,
        electricityFeeFen: settled.value.bill.electricityFeeFen,
        serviceFeeFen: settled.value.bill.serviceFeeFen,
        bill,
        ratedPowerW,
        runningTariff: drawn.running,
      };
      const same = rehearseCharge(stored, readings, drawn.tariff);
      if (same.kind !== 'priced') throw new Error(same.kind);
      expect(same.before.amountFen).toBe(settled.value.bill.amountFen);
      expect(same.after).toEqual(same.before);
      const changed = rehearseCharge(stored, readings, drawn.other);
      if (changed.kind === 'no_readings') {
        expect(readings.filter(({ energyWh }) => energyWh !== null)).toEqual([]);
        return;
      }
      const carried = withSameChoice(drawn.other, own);
      if (carried === null) {
        expect(changed).toEqual({ kind: 'no_choice' });
        return;
      }
      const wanted = priceBilling(carried, billing, drawn.running);
      if (!wanted.ok || changed.kind !== 'priced') throw new Error(changed.kind);
      expect(changed.before.amountFen).toBe(settled.value.bill.amountFen);
      if (JSON.stringify(same.before) === JSON.stringify(settled.value.bill)) {
        expect(changed.after).toEqual(wanted.value.bill);
      }
    }),
    { numRuns: 1_000 },
  );
  // Most of what is drawn is credible enough to be billed.
  expect(billed).toBeGreaterThan(300);
});

/** Two hours and 500 Wh, settled as `own` prices them. */
function settledBy(own: Tariff, tariffId: TariffId | null = 7 as TariffId): SettledCharge {
  const startedAt = instant(day + 9 * hourMs);
  const endedAt = instant(startedAt + 2 * hourMs);
  const meters = { meterStartWh: wattHours(0), meterStopWh: wattHours(500) };
  const priced = priceBilling(own, { startedAt, endedAt, ...meters, readings: [], powers: [], bill: null }, null);
  if (!priced.ok) throw new Error(priced.error.code);
  const { energyWh, electricityFeeFen, serviceFeeFen } = priced.value.bill;
  return {
    tariffId,
    tariff: own,
    placedAt: startedAt,
    begunAt: startedAt,
    startedAt,
    endedAt,
    settledAt: endedAt,
    wasPlaced: true,
    ...meters,
    energyWh,
    electricityFeeFen,
    serviceFeeFen,
    stopReason: 'local',
    bill: null,
    ratedPowerW: 2_000,
    runningTariff: null,
  };
}

const fixedRule = (...amountsFen: number[]): HourTariff => ({
  kind: 'hour',
  stepMinutes: 60,
  measuredBy: 'average',
  tiers: [{ fromW: watts(0), toW: null, feeFenPerStep: fen(100) }],
  longestRunHours: 12,
  prepayment: {
    kind: 'fixed',
    choices: amountsFen.map((amountFen, index) => ({
      amountFen: fen(amountFen),
      hours: 4 * (index + 1),
      energyWh: null,
    })),
  },
});

test('a rehearsal of a fixed price counts what riders chose, by its own rule and by one with other amounts', () => {
  const rule = fixedRule(300, 500);
  const [, second] = rule.prepayment?.choices ?? [];
  if (second === undefined) throw new Error('no second choice');
  const charge = settledBy(withChoice(rule, second));
  const amounts = (other: Tariff) => {
    const rehearsed = rehearseCharge(charge, [], other);
    return rehearsed.kind === 'priced' ? [rehearsed.before.amountFen, rehearsed.after.amountFen] : rehearsed.kind;
  };
  expect(amounts(rule)).toEqual([500, 500]);
  expect(amounts(fixedRule(300, 700))).toEqual([500, 700]);
  expect(amounts(fixedRule(300))).toBe('no_choice');
  const { prepayment: _, ...metered } = rule;
  expect(amounts(metered)).toEqual([500, 200]);
});

test('a charge at a free station is left out of a rehearsal, and one that a rule without prices priced is not', () => {
  const by = (tariffId: TariffId | null) => rehearseCharge(settledBy(freeTariff, tariffId), [], freeTariff).kind;
  expect(by(null)).toBe('free');
  expect(by(7 as TariffId)).toBe('priced');
});

test('a charge without readings is left out of a rehearsal where the price changes while it lasts, and its own did not', () => {
  const price = (e5: number) => ({ electricity: priceE5(e5), service: priceE5(0) });
  const byHours = (morningE5: number, noonE5: number): EnergyTariff => ({
    ...freeTariff,
    prices: { sharp: price(0), peak: price(noonE5), flat: price(0), valley: price(morningE5) },
    slots: [
      { start: '00:00', end: '10:00', period: 'valley' },
      { start: '10:00', end: '24:00', period: 'peak' },
    ],
  });
  const even = byHours(100_000, 100_000);
  const nightAndDay = byHours(20_000, 200_000);
  // From nine to eleven.
  const kindOf = (own: Tariff, other: Tariff, readings: readonly ReadRegister[] = []) =>
    rehearseCharge(settledBy(own), readings, other).kind;
  expect(kindOf(even, nightAndDay)).toBe('no_readings');
  expect(kindOf(even, nightAndDay, [{ at: instant(day + 10 * hourMs), energyWh: 500, powerW: null }])).toBe('priced');
  expect(kindOf(even, byHours(300_000, 300_000))).toBe('priced');
  // What it was billed for each hour says when its energy flowed.
  expect(kindOf(nightAndDay, nightAndDay)).toBe('priced');
  expect(kindOf(nightAndDay, byHours(30_000, 190_000))).toBe('priced');
  // A fixed price is the same at every hour.
  expect(kindOf(withChoice(fixedRule(300), fixedRule(300).prepayment?.choices[0] as RiderChoice), fixedRule(400))).toBe(
    'priced',
  );
});
