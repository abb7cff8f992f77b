import { expect, test } from 'vitest';
import { besideOurs, e4Text, tenthsWhText } from './station-bill-rows.ts';

const line = {
  kind: 'energy',
  from: '2026-11-21T07:00:00.000Z',
  to: '2026-11-21T09:00:00.000Z',
  period: 'peak',
  energyWh: 29_965,
  electricityPriceE5: 103_999,
  servicePriceE5: 50_505,
  electricityFeeFen: 3_116,
  serviceFeeFen: 1_513,
} as const;
const bill = {
  periods: [
    { period: 'sharp', energyTenthsWh: 0, priceE5: 1_999_998, amountE4: 0 },
    { period: 'peak', energyTenthsWh: 299_651, priceE5: 154_504, amountE4: 462_973 },
    { period: 'flat', energyTenthsWh: 10, priceE5: 100_000, amountE4: 10 },
  ],
  energyTenthsWh: 299_661,
  amountE4: 462_983,
  meterStartTenthsWh: 0,
  meterStopTenthsWh: 299_661,
} as const;

test('periods without energy are left out, the others stand beside our lines', () => {
  const { rows, isDifferent } = besideOurs({ lines: [line as never], flags: [] }, bill as never);
  expect(rows).toMatchObject([
    { period: 'peak', ourPriceE5: 154_504, ourFen: 4_629 },
    { period: 'flat', ourPriceE5: null, ourFen: 0 },
  ]);
  expect(isDifferent).toBe(false);
});

test('a flagged sum is shown as different', () => {
  const flags = [{ rule: 'amount_differs', at: line.from, evidence: {}, handled: null }] as const;
  expect(besideOurs({ lines: [], flags: [...flags] }, bill as never).isDifferent).toBe(true);
});

test("a station's figures are shown to the last digit", () => {
  expect(e4Text(1_300_075)).toBe('130.0075');
  expect(e4Text(5)).toBe('0.0005');
  expect(tenthsWhText(12_345_678_901)).toBe('1234567.8901');
});
