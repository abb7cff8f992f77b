import { expect, test } from 'vitest';
import { navigationTo } from './navigation-to.ts';

test('directions to a site use its WGS-84 coordinates, and a comma in its name does no harm', () => {
  const address = new URL(navigationTo({ name: 'Lakeside, car park P3', longitude: 120.163, latitude: 30.276 }));
  expect(address.host).toBe('uri.amap.com');
  expect(address.searchParams.get('to')).toBe('120.163,30.276,Lakeside  car park P3');
  expect(address.searchParams.get('coordinate')).toBe('wgs84');
});
