import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceStretches, type SlottedRule, stripOf } from './price-stretches.ts';

const rule: SlottedRule = {
  prices: {
    sharp: { electricity: 120_000, service: 40_000 },
    peak: { electricity: 100_000, service: 40_000 },
    flat: { electricity: 70_000, service: 30_000 },
    valley: { electricity: 30_000, service: 20_000 },
  },
  slots: [
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '10:00', period: 'flat' },
    { start: '10:00', end: '12:00', period: 'peak' },
    { start: '12:00', end: '19:00', period: 'flat' },
    { start: '19:00', end: '24:00', period: 'sharp' },
  ],
};
const at = (text: string) => Date.parse(`${text}+08:00`);

describe('price stretches', () => {
  test('a charge across 07:00 in Shanghai is cut there', () => {
    const stretches = priceStretches(rule, at('2026-11-21T06:30:00'), at('2026-11-21T07:45:00'));
    expect(stretches.map((stretch) => [stretch.period, stretch.fromMs, stretch.toMs])).toEqual([
      ['valley', at('2026-11-21T06:30:00'), at('2026-11-21T07:00:00')],
      ['flat', at('2026-11-21T07:00:00'), at('2026-11-21T07:45:00')],
    ]);
    expect(stretches[0]?.electricityPriceE5).toBe(30_000);
  });

  test('a charge past midnight continues in the first slot of the next day', () => {
    const stretches = priceStretches(rule, at('2026-11-21T23:30:00'), at('2026-11-22T00:30:00'));
    expect(stretches.map((stretch) => stretch.period)).toEqual(['sharp', 'valley']);
  });

  test('price stretches follow one another without a gap from the first instant to the last', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000_000 }),
        fc.integer({ min: 1, max: 3 * 86_400_000 }),
        (from, span) => {
          const stretches = priceStretches(rule, from, from + span);
          expect(stretches[0]?.fromMs).toBe(from);
          expect(stretches.at(-1)?.toMs).toBe(from + span);
          for (let index = 1; index < stretches.length; index += 1) {
            expect(stretches[index]?.fromMs).toBe(stretches[index - 1]?.toMs);
          }
          const strip = stripOf(stretches, from, from + span);
          expect(strip.reduce((sum, piece) => sum + piece.width, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  test('an empty span has no price stretches, and a wrong clock does not fill the page', () => {
    expect(priceStretches(rule, 5, 5)).toEqual([]);
    expect(priceStretches(rule, 0, 4e12)).toHaveLength(500);
  });

  test('the price strip cuts what lies outside its axis', () => {
    const stretches = priceStretches(rule, at('2026-11-21T06:00:00'), at('2026-11-21T08:00:00'));
    const strip = stripOf(stretches, at('2026-11-21T06:30:00'), at('2026-11-21T07:30:00'));
    expect(strip.map(({ left, width }) => [left, width])).toEqual([
      [0, 0.5],
      [0.5, 0.5],
    ]);
    expect(stripOf(stretches, 10, 10)).toEqual([]);
  });
});
