import type { SiteDetail } from '@voltdeck/contract/sites';
import { expect, test } from 'vitest';
import { priceNow } from './price-now.ts';

type Detail = SiteDetail['tariffs'][number]['detail'];
const price = (electricity: number, service: number) => ({ electricity, service });
const byEnergy = {
  kind: 'energy',
  prices: {
    sharp: price(150_000, 50_000),
    peak: price(100_000, 50_000),
    flat: price(70_000, 40_000),
    valley: price(30_000, 30_000),
  },
  slots: [
    { start: '00:00', end: '08:00', period: 'valley' },
    { start: '08:00', end: '10:00', period: 'peak' },
    { start: '10:00', end: '12:00', period: 'peak' },
    { start: '12:00', end: '24:00', period: 'flat' },
  ],
} as Detail;
const at = (clock: string) => Date.parse(`2026-11-23T${clock}:00+08:00`);

test('the current price is that of the slot in Shanghai, and lasts until another period starts', () => {
  expect(priceNow(byEnergy, at('07:59'))).toMatchObject({ period: 'valley', priceE5: 60_000, until: '08:00' });
  expect(priceNow(byEnergy, at('08:00'))).toMatchObject({ period: 'peak', priceE5: 150_000, until: '12:00' });
  expect(priceNow(byEnergy, at('23:59'))).toMatchObject({ period: 'flat', priceE5: 110_000, until: '24:00' });
});

test("the day's price range leaves out a period without slots", () => {
  expect(priceNow(byEnergy, at('09:00'))).toMatchObject({ lowestE5: 60_000, highestE5: 150_000 });
});

test('a rule by time shows the lowest and highest price of a step', () => {
  const tiers = [
    { fromW: 0, toW: 200, feeFenPerStep: 50 },
    { fromW: 200, toW: null, feeFenPerStep: 80 },
  ];
  const byHour = { kind: 'hour', stepMinutes: 60, measuredBy: 'peak', tiers, longestRunHours: 10 } as unknown as Detail;
  expect(priceNow(byHour, at('09:00'))).toEqual({ kind: 'hour', lowestFen: 50, highestFen: 80, stepMinutes: 60 });
});
