import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billOf, noEnergies, periodAt, periods, untilNextSlotMs } from './billing-model.ts';
import { testModel } from './test-platform.ts';

const shanghai = (text: string) => Date.parse(`${text}+08:00`);

describe('a billing model', () => {
  test('a billing model has the period of each half hour in Asia/Shanghai', () => {
    expect(periodAt(testModel, shanghai('2026-11-21T11:59:59.999'))).toBe('flat');
    expect(periodAt(testModel, shanghai('2026-11-21T12:00:00'))).toBe('peak');
    expect(periodAt(testModel, shanghai('2026-11-21T12:59:59.999'))).toBe('peak');
    expect(periodAt(testModel, shanghai('2026-11-21T13:00:00'))).toBe('flat');
    expect(untilNextSlotMs(shanghai('2026-11-21T12:29:59.000'))).toBe(1_000);
    expect(untilNextSlotMs(shanghai('2026-11-21T12:30:00.000'))).toBe(1_800_000);
  });

  test('a billing model prices each period on its own, and the sums are those of the lines', () => {
    const bill = billOf(testModel, { ...noEnergies(), peak: 10_000, flat: 20_000.05 });
    expect(bill.lines.peak).toEqual({
      price: 120_000,
      energyTenthsWh: 100_000,
      lossTenthsWh: 100_000,
      amountHundredthsFen: 120_000,
    });
    expect(bill.lines.flat).toMatchObject({ energyTenthsWh: 200_000, amountHundredthsFen: 160_000 });
    expect(bill).toMatchObject({ energyTenthsWh: 300_000, amountHundredthsFen: 280_000 });
  });

  test('the energies of the periods add up to the total, whatever they are', () => {
    const energy = fc.double({ min: 0, max: 200_000, noNaN: true });
    fc.assert(
      fc.property(energy, energy, energy, energy, (sharp, peak, flat, valley) => {
        const bill = billOf(testModel, { sharp, peak, flat, valley });
        const told = periods.reduce((sum, period) => sum + bill.lines[period].energyTenthsWh, 0);
        expect(told).toBe(bill.energyTenthsWh);
        expect(Math.abs(told - (sharp + peak + flat + valley) * 10)).toBeLessThan(1.1);
      }),
    );
  });
});
