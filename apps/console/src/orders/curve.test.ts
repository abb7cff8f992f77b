import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CurvePoint, curveFacts, curveOf, extendCurve, gapsOf, thinCurve, withEnds } from './curve.ts';

const point = (atMs: number, powerKw: number | null = 0): CurvePoint => ({
  atMs,
  powerKw,
  energyKwh: atMs / 3_600_000,
  socPercent: null,
});

describe('charging curve', () => {
  test('readings are sorted by time, one per instant, in kW and kWh', () => {
    const curve = curveOf([
      { at: '1970-01-01T00:01:00.000Z', energyWh: 500, powerW: 30_000, socPercent: 41 },
      { at: '1970-01-01T00:00:00.000Z', energyWh: 0, powerW: null, socPercent: 40 },
      { at: '1970-01-01T00:01:00.000Z', energyWh: 501, powerW: 30_500, socPercent: 41 },
    ]);
    expect(curve).toEqual([
      { atMs: 0, powerKw: null, energyKwh: 0, socPercent: 40 },
      { atMs: 60_000, powerKw: 30.5, energyKwh: 0.501, socPercent: 41 },
    ]);
  });

  test('a long silence is a gap, a slow but steady meter is not', () => {
    const steady = Array.from({ length: 20 }, (_, index) => point(index * 60_000));
    expect(gapsOf(steady)).toEqual([]);
    expect(gapsOf([...steady, point(19 * 60_000 + 2_400_000)])).toEqual([
      { fromMs: 19 * 60_000, toMs: 19 * 60_000 + 2_400_000 },
    ]);
    expect(gapsOf(Array.from({ length: 6 }, (_, index) => point(index * 900_000)))).toEqual([]);
  });

  test('thinning keeps the ends, the peak and the order, and never returns more points than asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 180 }), { minLength: 1, maxLength: 3000 }),
        fc.integer({ min: 4, max: 500 }),
        (powers, max) => {
          const points = powers.map((power, index) => point(index * 1000, power));
          const thin = thinCurve(points, max);
          expect(thin.length).toBeLessThanOrEqual(Math.max(max, points.length <= max ? points.length : 0));
          expect(thin[0]).toEqual(points[0]);
          expect(thin.at(-1)).toEqual(points.at(-1));
          expect(Math.max(...thin.map((kept) => kept.powerKw ?? 0))).toBe(Math.max(...powers));
          for (let index = 1; index < thin.length; index += 1) {
            expect(thin[index]?.atMs).toBeGreaterThan(thin[index - 1]?.atMs ?? -1);
          }
        },
      ),
    );
  });

  test('readings older than the last point change nothing', () => {
    const points = [point(1000), point(2000)];
    expect(extendCurve(points, point(2000))).toBe(points);
    expect(extendCurve(points, point(3000))).toHaveLength(3);
  });

  test('a charge starts at zero and ends at its total energy, even without samples there', () => {
    const curve = withEnds([point(60_000, 50)], { startedAtMs: 0, endedAtMs: 120_000, energyWh: 2_000 });
    expect(curve.map(({ atMs, energyKwh, powerKw }) => [atMs, energyKwh, powerKw])).toEqual([
      [0, 0, null],
      [60_000, 60_000 / 3_600_000, 50],
      [120_000, 2, null],
    ]);
    expect(withEnds([point(0), point(9)], { startedAtMs: 0, endedAtMs: null, energyWh: 5 })).toHaveLength(2);
    expect(withEnds([], { startedAtMs: 0, endedAtMs: 5, energyWh: 5 })).toEqual([]);
  });

  test('the mean power is energy over time', () => {
    const curve = [
      { atMs: 0, powerKw: 0, energyKwh: 0, socPercent: 20 },
      { atMs: 1_800_000, powerKw: 90, energyKwh: 30, socPercent: 80 },
    ];
    expect(curveFacts(curve)).toEqual({ peakKw: 90, meanKw: 60, fromSoc: 20, toSoc: 80 });
    expect(curveFacts([])).toEqual({ peakKw: null, meanKw: null, fromSoc: null, toSoc: null });
  });

  test('a mean far above every sample comes from a meter jump and is not shown', () => {
    const ending = (energyKwh: number) => [
      { atMs: 0, powerKw: 60, energyKwh: 0, socPercent: null },
      { atMs: 3_600_000, powerKw: 60, energyKwh, socPercent: null },
    ];
    expect(curveFacts(ending(1_000)).meanKw).toBeNull();
    expect(curveFacts(ending(66)).meanKw).toBe(66);
  });
});
