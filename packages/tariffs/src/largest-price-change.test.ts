import { priceE5 } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { largestPriceChange } from './largest-price-change.ts';
import type { EnergyTariff, Tariff } from './tariff.ts';

const price = (electricity: number, service: number) => ({
  electricity: priceE5(electricity),
  service: priceE5(service),
});
const day: EnergyTariff = {
  kind: 'energy',
  prices: {
    sharp: price(120_000, 50_000),
    peak: price(100_000, 50_000),
    flat: price(70_000, 50_000),
    valley: price(30_000, 50_000),
  },
  slots: [
    { start: '00:00', end: '08:00', period: 'valley' },
    { start: '08:00', end: '24:00', period: 'flat' },
  ],
};
const steps = (...fees: number[]) =>
  ({ kind: 'hour', stepMinutes: 60, tiers: fees.map((feeFenPerStep) => ({ feeFenPerStep })) }) as unknown as Tariff;

test('electricity and service count together, in the half hour that changes most', () => {
  expect(largestPriceChange(day, day)).toBe(0);
  const dearer = { ...day, prices: { ...day.prices, valley: price(31_000, 52_000), flat: price(69_000, 50_000) } };
  expect(largestPriceChange(day, dearer)).toBe(3_000);
  expect(largestPriceChange(dearer, day)).toBe(3_000);
});

test('a price that no slot uses does not count, and a slot of another period does', () => {
  const unused = { ...day, prices: { ...day.prices, sharp: price(900_000, 0) } };
  expect(largestPriceChange(day, unused)).toBe(0);
  const moved: EnergyTariff = {
    ...day,
    slots: [
      { start: '00:00', end: '07:30', period: 'valley' },
      { start: '07:30', end: '24:00', period: 'flat' },
    ],
  };
  expect(largestPriceChange(day, moved)).toBe(40_000);
});

test('no tariff costs nothing, and prices by energy are not compared with prices by time', () => {
  expect(largestPriceChange(null, day)).toBe(120_000);
  expect(largestPriceChange(day, null)).toBe(120_000);
  expect(largestPriceChange(null, null)).toBe(0);
  expect(largestPriceChange(steps(50, 80), steps(50, 95))).toBe(15_000);
  expect(largestPriceChange(steps(50), steps(50, 95))).toBe(95_000);
  expect(largestPriceChange(day, steps(50))).toBe(120_000);
});
