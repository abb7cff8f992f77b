import { describe, expect, test } from 'vitest';
import { type Datum, datums, fromWgs84, isShiftedRegion, toWgs84 } from './datum.ts';

/** Points all over China, and at its corners. */
const points = [73.5, 87.6, 91.1, 104.06, 113.943, 116.391, 121.473, 126.6, 134.7].flatMap((longitude) =>
  [4, 18.25, 22.54, 31.23, 39.9075, 45.7, 53.5].map((latitude) => ({ longitude, latitude })),
);
const metresApart = (one: { longitude: number; latitude: number }, other: typeof one) =>
  Math.hypot(
    (one.longitude - other.longitude) * 111_320 * Math.cos((one.latitude * Math.PI) / 180),
    (one.latitude - other.latitude) * 110_574,
  );

describe('datums', () => {
  test('Tiananmen is where AMap and Baidu show it', () => {
    const tiananmen = { longitude: 116.391_27, latitude: 39.907_22 };
    const gcj02 = fromWgs84(tiananmen, 'gcj02');
    expect(gcj02.longitude).toBeCloseTo(116.397_51, 4);
    expect(gcj02.latitude).toBeCloseTo(39.908_62, 4);
    const bd09 = fromWgs84(tiananmen, 'bd09');
    expect(bd09.longitude).toBeCloseTo(116.403_91, 3);
    expect(bd09.latitude).toBeCloseTo(39.915, 3);
  });

  test.each(datums)('a point in %s comes back to itself within a millionth of a degree', (datum: Datum) => {
    for (const point of points) {
      const back = toWgs84(fromWgs84(point, datum), datum);
      expect(Math.abs(back.longitude - point.longitude)).toBeLessThan(1e-8);
      expect(Math.abs(back.latitude - point.latitude)).toBeLessThan(1e-8);
      const there = fromWgs84(toWgs84(point, datum), datum);
      expect(Math.abs(there.longitude - point.longitude)).toBeLessThan(1e-8);
      expect(Math.abs(there.latitude - point.latitude)).toBeLessThan(1e-8);
    }
  });

  test('GCJ-02 lies some hundred metres away inside China, and BD-09 about a kilometre', () => {
    for (const point of points) {
      expect(metresApart(point, fromWgs84(point, 'gcj02'))).toBeGreaterThan(50);
      expect(metresApart(point, fromWgs84(point, 'gcj02'))).toBeLessThan(1_000);
      expect(metresApart(point, fromWgs84(point, 'bd09'))).toBeGreaterThan(400);
      expect(metresApart(point, fromWgs84(point, 'bd09'))).toBeLessThan(2_000);
    }
  });

  test('a point outside China stays in every datum', () => {
    for (const point of [
      { longitude: 2.35, latitude: 48.86 },
      { longitude: 139.69, latitude: 35.68 },
      { longitude: 103.82, latitude: -1.3 },
    ]) {
      for (const datum of datums) {
        expect(fromWgs84(point, datum)).toEqual(point);
        expect(toWgs84(point, datum)).toEqual(point);
      }
    }
  });

  test('maps of Taiwan are not shifted, those of all other regions are', () => {
    expect(isShiftedRegion('710101')).toBe(false);
    expect(isShiftedRegion('440305')).toBe(true);
    expect(isShiftedRegion('810001')).toBe(true);
  });
});
