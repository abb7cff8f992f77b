import { decideSettlement, type ReadRegister } from '@voltdeck/charging/charge/decide-settlement';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { EnergyTariff, HourTariff, Tariff } from '@voltdeck/tariffs/tariff';
import { periods } from '@voltdeck/tariffs/tariff';
import { formatTimeOfDay } from '@voltdeck/tariffs/time-of-day';
import { wattHours, watts } from '@voltdeck/units/energy';
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
const anyTariff: fc.Arbitrary<Tariff> = fc.oneof(anyEnergyTariff, anyHourTariff);

/** A finished charge with what its station sent, some of it nonsense. */
const anyCharge = fc.record({
  tariff: anyTariff,
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
      const known = { charge, end, readings, bill, ratedPowerW, suspicion: null, now: settledAt };
      const decision = decideSettlement(known);
      if (decision.kind !== 'bill') return;
      const { billing } = decision;
      const settled = priceBilling(drawn.tariff, billing, drawn.running);
      if (!settled.ok) return;
      billed += 1;
      const stored: SettledCharge = {
        ...charge,
        tariff: drawn.tariff,
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
      const wanted = priceBilling(drawn.other, billing, drawn.running);
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
