import { hourMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { spreadEnergy } from './spread-energy.ts';

const at = (minutes: number): Instant => instant(Date.UTC(2026, 10, 23) + minutes * minuteMs);
const hours = { from: at(0), everyMs: hourMs, count: 3 };
const figures = (charges: Parameters<typeof spreadEnergy>[0]) =>
  spreadEnergy(charges, hours).map(({ energyWh, charges: count }) => [energyWh, count]);

test('the energy of a charge is spread over the hours it lasted, and it counts where it ended', () => {
  expect(figures([{ from: at(30), to: at(120 + 30), energyWh: 12_000 }])).toEqual([
    [3_000, 0],
    [6_000, 0],
    [3_000, 1],
  ]);
});

test('what lies before and after the stretches is left out', () => {
  expect(figures([{ from: at(-60), to: at(60), energyWh: 8_000 }])).toEqual([
    [4_000, 0],
    [0, 1],
    [0, 0],
  ]);
  expect(figures([{ from: at(150), to: at(210), energyWh: 6_000 }])).toEqual([
    [0, 0],
    [0, 0],
    [3_000, 0],
  ]);
});

test('a charge without a duration has all its energy where it ended', () => {
  expect(figures([{ from: at(70), to: at(70), energyWh: 500 }])).toEqual([
    [0, 0],
    [500, 1],
    [0, 0],
  ]);
});
