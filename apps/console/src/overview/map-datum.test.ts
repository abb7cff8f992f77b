import { describe, expect, test } from 'vitest';
import { toPictureOf } from './map-datum.ts';

describe('a stored point', () => {
  test('a stored point stays in place on tiles in WGS-84', () => {
    const toPicture = toPictureOf('wgs84');
    expect(toPicture(120.15, 30.27, '330106')).toEqual([120.15, 30.27]);
  });

  test('a stored point moves some hundred metres on AMap’s tiles', () => {
    const toPicture = toPictureOf('gcj02');
    const [longitude, latitude] = toPicture(116.391, 39.9075, '110101');
    // Tiananmen: 116.397 E, 39.909 N on AMap.
    expect(longitude).toBeCloseTo(116.3972, 3);
    expect(latitude).toBeCloseTo(39.9089, 3);
  });

  test('a stored point stays in place in Taiwan and abroad', () => {
    const toPicture = toPictureOf('gcj02');
    expect(toPicture(121.53, 25.05, '710101')).toEqual([121.53, 25.05]);
    expect(toPicture(2.35, 48.86, '925001')).toEqual([2.35, 48.86]);
  });
});
