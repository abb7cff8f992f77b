import { milliamperes, millivolts, wattHours, watts } from '@voltdeck/units/energy';
import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { isPossible, leaveOutImpossible } from './meter-limits.ts';
import type { Reading } from './reading.ts';

describe('a figure that a meter tells', () => {
  test.each([
    ['energyWh', 0, 100_000_000_000],
    ['powerW', 0, 20_000_000],
    ['currentMa', 0, 20_000_000],
    ['voltageMv', 0, 10_000_000],
    ['socPercent', 0, 100],
    ['vehicleTemperatureC', -100, 250],
    ['cableTemperatureC', -100, 250],
    ['ambientTemperatureC', -100, 250],
  ] as const)('a meter figure is possible within its limits, both included, and not beyond: %s', (figure, min, max) => {
    const told = [min - 1, min, max, max + 1].map((value) => isPossible(figure, value));
    expect(told).toEqual([false, true, true, false]);
    expect(isPossible(figure, Number.NaN)).toBe(false);
  });
});

describe('a reading', () => {
  const at = instant(Date.parse('2026-11-22T12:00:00+08:00'));
  const left = (reading: Reading) => {
    const unusable = ['as before'];
    leaveOutImpossible(reading, unusable);
    return { reading, unusable };
  };

  test('a reading keeps every possible figure, and its time and signature whatever they are', () => {
    const full = (): Reading => ({
      at,
      energyWh: wattHours(12_345),
      powerW: watts(60_000),
      currentMa: milliamperes(150_000),
      voltageMv: millivolts(400_000),
      socPercent: 80,
      vehicleTemperatureC: -20,
      cableTemperatureC: 40,
      signedData: '999999999999',
    });
    expect(left(full())).toEqual({ reading: full(), unusable: ['as before'] });
    expect(left({ at })).toEqual({ reading: { at }, unusable: ['as before'] });
  });

  test('a reading loses each impossible figure, which is reported with its value', () => {
    const { reading, unusable } = left({ at, energyWh: wattHours(-1), powerW: watts(60_000), socPercent: 255 });
    expect(reading).toEqual({ at, powerW: 60_000 });
    expect(reading).not.toHaveProperty('energyWh');
    expect(unusable).toEqual(['as before', 'energyWh: -1', 'socPercent: 255']);
  });
});
