import type { BillLineView } from '@voltdeck/contract/orders';
import { feeFen, priceE5 } from '@voltdeck/units/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billRows, billSums, exactFeeYuan, isRoundedProduct, periodSums } from './bill-rows.ts';

type EnergyLine = Extract<BillLineView, { kind: 'energy' }>;

function line(overrides: Partial<Record<keyof EnergyLine, unknown>> = {}): BillLineView {
  return {
    kind: 'energy',
    from: '2026-11-20T22:30:00.000Z',
    to: '2026-11-20T23:00:00.000Z',
    period: 'valley',
    energyWh: 10_000,
    electricityPriceE5: 30_000,
    servicePriceE5: 20_000,
    electricityFeeFen: 300,
    serviceFeeFen: 200,
    ...overrides,
  } as BillLineView;
}

describe('bill rows', () => {
  test('bill rows are in order of time and carry the sum of both fees', () => {
    const rows = billRows([line({ from: '2026-11-20T23:00:00.000Z', electricityFeeFen: 700 }), line()]);
    expect(rows.map((row) => [row.from, row.sumFen])).toEqual([
      ['2026-11-20T22:30:00.000Z', 500],
      ['2026-11-20T23:00:00.000Z', 900],
    ]);
  });

  test('bill sums add up the lines without rounding again', () => {
    expect(billSums([line(), line({ energyWh: 1, electricityFeeFen: 1, serviceFeeFen: 0 })])).toEqual({
      energyWh: 10_001,
      electricityFeeFen: 301,
      serviceFeeFen: 200,
      sumFen: 501,
    });
    expect(billSums([])).toEqual({ energyWh: 0, electricityFeeFen: 0, serviceFeeFen: 0, sumFen: 0 });
  });

  test('lines of the same period on two days are added up, and periods without energy are left out', () => {
    const sums = periodSums([line(), line({ period: 'peak', electricityFeeFen: 1000 }), line()]);
    expect(sums.map((sum) => [sum.period, sum.energyWh, sum.sumFen])).toEqual([
      ['peak', 10_000, 1200],
      ['valley', 20_000, 1000],
    ]);
  });

  test('a bill row shows the product before it was rounded', () => {
    expect(exactFeeYuan(12_345, 98_450)).toBe('12.15365250'.replace(/0$/, ''));
    expect(exactFeeYuan(10_000, 30_000)).toBe('3.00');
    expect(exactFeeYuan(1, 1)).toBe('0.00000001');
    expect(exactFeeYuan(0, 98_450)).toBe('0.00');
  });

  test('a bill row recognises a fee that is not the rounded product', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 0, max: 500_000 }), (energyWh, price) => {
        const fee = feeFen(energyWh, priceE5(price));
        expect(isRoundedProduct(energyWh, price, fee)).toBe(true);
        expect(isRoundedProduct(energyWh, price, fee + 1)).toBe(false);
      }),
    );
  });
});
