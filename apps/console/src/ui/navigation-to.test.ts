import { navigationApps } from '@voltdeck/contract/navigation-apps';
import { fromWgs84 } from '@voltdeck/regions/datum';
import { expect, test } from 'vitest';
import { navigationTo } from './navigation-to.ts';

const lakeside = { name: 'Lakeside, car park P3', longitude: 120.163, latitude: 30.276, regionCode: '330106' };
const query = (...given: Parameters<typeof navigationTo>) => {
  const address = new URL(navigationTo(...given));
  return { host: address.host, ...Object.fromEntries(address.searchParams) };
};
const digits = (degrees: number) => degrees.toFixed(6);

test('directions by AMap are in GCJ-02, and a comma in the name does no harm', () => {
  const { longitude, latitude } = fromWgs84(lakeside, 'gcj02');
  expect(query('amap', lakeside)).toMatchObject({
    host: 'uri.amap.com',
    to: `${digits(longitude)},${digits(latitude)},Lakeside  car park P3`,
    coordinate: 'gaode',
  });
});

test('directions by Baidu are in BD-09, by Tencent in GCJ-02, with the latitude first', () => {
  const baidu = fromWgs84(lakeside, 'bd09');
  expect(query('baidu', lakeside)).toMatchObject({
    host: 'api.map.baidu.com',
    location: `${digits(baidu.latitude)},${digits(baidu.longitude)}`,
    coord_type: 'bd09ll',
    title: lakeside.name,
  });
  const tencent = fromWgs84(lakeside, 'gcj02');
  expect(query('tencent', lakeside)).toMatchObject({
    host: 'apis.map.qq.com',
    tocoord: `${digits(tencent.latitude)},${digits(tencent.longitude)}`,
    coord_type: '2',
  });
});

test('directions by Apple are in GCJ-02 within China and in WGS-84 abroad', () => {
  const shown = fromWgs84(lakeside, 'gcj02');
  expect(query('apple', lakeside)).toMatchObject({ daddr: `${digits(shown.latitude)},${digits(shown.longitude)}` });
  const paris = { name: 'Paris', longitude: 2.352, latitude: 48.857, regionCode: '925001' };
  expect(query('apple', paris)).toMatchObject({ daddr: '48.857000,2.352000' });
});

test.each(navigationApps)('directions by %s stay in place where maps are not shifted', (app) => {
  const taipei = { name: 'Taipei', longitude: 121.53, latitude: 25.05, regionCode: '710101' };
  expect(decodeURIComponent(navigationTo(app, taipei))).toMatch(/121\.530000,25\.050000|25\.050000,121\.530000/);
});
