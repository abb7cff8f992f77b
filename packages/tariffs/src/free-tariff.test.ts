import { wattHours, watts } from '@voltdeck/units/energy';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen, priceE5 } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTariff } from './check-tariff.ts';
import { endOfBalance } from './end-of-balance.ts';
import { freeTariff, isFree } from './free-tariff.ts';
import { meterOf, priceCharge } from './price-charge.ts';
import { type HourTariff, periods } from './tariff.ts';

const began = instant(Date.parse('2026-11-21T22:13:00+08:00'));
const readings = fc
  .array(fc.record({ minutes: fc.integer({ min: 1, max: 240 }), energyWh: fc.integer({ min: 0, max: 60_000 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((steps) => {
    let at = began;
    let energyWh = 5_000;
    const read = [{ at, energyWh: wattHours(energyWh) }];
    for (const step of steps) {
      at = instant(at + step.minutes * minuteMs);
      energyWh += step.energyWh;
      read.push({ at, energyWh: wattHours(energyWh) });
    }
    return read;
  });

describe('a free charge', () => {
  test('a free charge costs nothing, and every Wh of it stands on the bill', () => {
    fc.assert(
      fc.property(readings, (read) => {
        const bill = priceCharge({ tariff: freeTariff, readings: read });
        if (!bill.ok) throw new Error(bill.error.code);
        const energyWh = (read.at(-1)?.energyWh ?? 0) - 5_000;
        expect(bill.value).toMatchObject({ amountFen: 0, electricityFeeFen: 0, serviceFeeFen: 0, energyWh });
        expect(bill.value.lines.reduce((sum, line) => sum + line.energyWh, 0)).toBe(energyWh);
      }),
    );
  });

  test('a free charge never comes to the end of a balance, not even of an empty one', () => {
    fc.assert(
      fc.property(readings, fc.integer({ min: 0, max: 400_000 }), (read, powerW) => {
        const meter = meterOf({ tariff: freeTariff, readings: read });
        if (!meter.ok) throw new Error(meter.error.code);
        const { at } = meter.value;
        expect(endOfBalance(meter.value, { availableFen: fen(0), powerW: watts(powerW), at })).toBeNull();
      }),
    );
  });

  test('the tariff of free charges is a sound one', () => {
    expect(checkTariff(freeTariff)).toEqual([]);
  });
});

describe('a free tariff', () => {
  test.each(periods)('a tariff is free only if it has no price at all, as it has in %s', (period) => {
    expect(isFree(freeTariff)).toBe(true);
    for (const priced of ['electricity', 'service'] as const) {
      const price = { ...freeTariff.prices[period], [priced]: priceE5(1) };
      expect(isFree({ ...freeTariff, prices: { ...freeTariff.prices, [period]: price } })).toBe(false);
    }
  });

  test('a tariff by time is free if none of its tiers has a fee', () => {
    const tier = (fromW: number, toW: number | null, fee: number) => ({
      fromW: watts(fromW),
      toW: toW === null ? null : watts(toW),
      feeFenPerStep: fen(fee),
    });
    const byTime: HourTariff = {
      kind: 'hour',
      stepMinutes: 60,
      measuredBy: 'average',
      longestRunHours: 12,
      tiers: [tier(0, 200, 0), tier(200, null, 0)],
    };
    expect(isFree(byTime)).toBe(true);
    expect(isFree({ ...byTime, tiers: [tier(0, 200, 0), tier(200, null, 1)] })).toBe(false);
  });

  test('a tariff without any metered price is not free where riders pay a fixed price for a charge', () => {
    const choices = [{ amountFen: fen(100), hours: 4, energyWh: null }];
    expect(isFree({ ...freeTariff, prepayment: { kind: 'fixed', choices } })).toBe(false);
    // What was prepaid is paid back, as nothing was used up.
    expect(isFree({ ...freeTariff, prepayment: { kind: 'prepaid', choices } })).toBe(true);
  });
});
