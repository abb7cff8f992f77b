import { expect, test } from 'vitest';
import {
  durationText,
  energyText,
  moneyText,
  percentText,
  powerText,
  priceText,
  rateText,
  shareText,
  sizeText,
} from './figures.ts';

test('figures are grouped and have their decimals, including zero', () => {
  expect(moneyText(123_456)).toBe('¥1,234.56');
  expect(moneyText(0)).toBe('¥0.00');
  expect(moneyText(-5)).toBe('-¥0.05');
  expect(energyText(12_340)).toBe('12.34');
  expect(energyText(12_345, 3)).toBe('12.345');
  expect(powerText(60_000)).toBe('60.0');
});

test('a percentage has its sign right behind it', () => {
  expect(percentText(12.5)).toBe('12.5%');
  expect(percentText(25, 2)).toBe('25.00%');
  expect(rateText(1_300)).toBe('13%');
});

test('a duration has its seconds up to a thousand hours, and is grouped whole hours from there on', () => {
  const hour = 3_600_000;
  expect(durationText(hour + 133_000)).toBe('1:02:13');
  expect(durationText(1_000 * hour - 1)).toBe('999:59:59');
  expect(durationText(1_000 * hour)).toBe('1,000小时');
  expect(durationText(123_456.7 * hour)).toBe('123,457小时');
});

test('a part of a whole has one decimal, and a part of nothing is a dash', () => {
  expect(shareText(1, 3)).toBe('33.3%');
  expect(shareText(0, 3)).toBe('0.0%');
  expect(shareText(0, 0)).toBe('—');
});

test('a price shows at least two decimals and all the decimals it has', () => {
  expect(priceText(120_000)).toBe('1.20');
  expect(priceText(63_750)).toBe('0.6375');
  expect(priceText(1)).toBe('0.00001');
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [500 * 1024, '500 KB'],
  [5 * 1024 * 1024, '5 MB'],
  [50 * 1024 * 1024 + 300_000, '50.3 MB'],
  [3 * 1024 ** 4, '3072 GB'],
])('%i bytes are written as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
