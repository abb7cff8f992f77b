import { readdirSync, readFileSync } from 'node:fs';
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { describe, expect, test } from 'vitest';
import { basemapFiles, basemapFolder, type CityProperties, type DivisionProperties } from './build-basemap.ts';
import { gcj02ToWgs84 } from './datum.ts';
import { divisionRows } from './division-rows.ts';
import { readEchartsMap } from './echarts-map.ts';
import { boxOf, labelPoint, ringContains } from './label-point.ts';
import { shortNameEn, shortNameZh } from './short-names.ts';

const world = committed('world');
const provinces = committed('provinces');
const provinceShapes = shapesOf<DivisionProperties>(provinces, 'provinces');
const cityShapes = shapesOf<CityProperties>(committed('cities'), 'cities');

test('the committed map files agree with the sources', { timeout: 180_000 }, () => {
  const built = basemapFiles();
  expect(readdirSync(basemapFolder).sort()).toEqual(built.map(({ file }) => file).sort());
  for (const { file, text } of built) expect(readFileSync(basemapFolder + file, 'utf8') === text).toBe(true);
});

describe('the provinces', () => {
  test('the provinces are 34, each with its label inside', () => {
    expect(provinceShapes.map(({ properties }) => properties.code).sort()).toEqual(
      divisionRows.map(([code]) => code).filter((code) => code % 10_000 === 0),
    );
    for (const shape of provinceShapes) {
      expect([shape.properties.code, covers(shape, shape.properties.label)]).toEqual([shape.properties.code, true]);
    }
  });

  test.each<[string, Position, number]>([
    ['Tawang', [91.87, 27.59], 540_000],
    ['Itanagar', [93.6, 27.1], 540_000],
    ['Doklam', [89.03, 27.3], 540_000],
    ['Demchok', [79.45, 32.7], 540_000],
    ['Aksai Chin', [79.5, 35.2], 650_000],
    ['Diaoyu Dao', [123.475, 25.745], 710_000],
    ['Taipei', [121.53, 25.05], 710_000],
    ['Yongxing Dao', [112.337, 16.834], 460_000],
    ['Hong Kong', [114.17, 22.32], 810_000],
    ['Beijing', [116.4, 39.9], 110_000],
  ])('the label of %s lies in the right province', (_name, point, code) => {
    expect(holders(provinceShapes, point)).toEqual([code]);
  });

  test('the provinces reach the southernmost islands', () => {
    const southernmost = provinceShapes
      .filter(({ properties }) => properties.code === 460_000)
      .flatMap(({ geometry }) => polygonsOf(geometry).map(([ring = []]) => boxOf(ring).south));
    expect(Math.min(...southernmost)).toBeLessThan(4.2);
  });
});

test('there are ten dashes, at their true positions', () => {
  const dashes = feature(provinces, provinces.objects.dashes as GeometryCollection) as unknown as Feature<MultiPolygon>;
  expect(dashes.geometry.coordinates).toHaveLength(10);
  for (const [ring = []] of dashes.geometry.coordinates) {
    const { west, south, east, north } = boxOf(ring);
    expect(west > 107 && east < 124 && south > 3 && north < 25).toBe(true);
    expect(Math.max(east - west, north - south)).toBeLessThan(2);
  }
});

test('the dashes run from the Gulf of Tonkin around to the east of Taiwan', () => {
  const dashes = feature(provinces, provinces.objects.dashes as GeometryCollection) as unknown as Feature<MultiPolygon>;
  const middles = dashes.geometry.coordinates.map(([ring = []]) => {
    const { west, east, south, north } = boxOf(ring);
    return [Math.round((west + east) / 2), Math.round((south + north) / 2)];
  });
  expect(middles).toContainEqual([123, 24]);
  expect(middles).toContainEqual([112, 4]);
  expect(middles.some(([x = 0, y = 0]) => x < 111 && y > 14)).toBe(true);
});

test('the world contains only land and borders, so that no border of another source runs through China', () => {
  expect(Object.keys(world.objects).sort()).toEqual(['borders', 'land']);
  const borders = feature(world, world.objects.borders as GeometryCollection) as unknown as Feature<{
    type: 'MultiLineString';
    coordinates: Position[][];
  }>;
  const inside = borders.geometry.coordinates.flat().filter((point) => holders(provinceShapes, point).length > 0);
  // The other source ends a border at China slightly inside our outline; a line running through would have many points.
  expect(inside.length).toBeLessThan(40);
});

describe('the cities', () => {
  test('the cities have one shape each, with both names and a label inside', () => {
    const codes = cityShapes.map(({ properties }) => properties.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const shape of cityShapes) {
      const { code, zh, en, label } = shape.properties;
      if (code === 710_000) continue;
      expect([code, /\p{Script=Han}/u.test(zh), /^[\p{Script=Latin}' -]+$/u.test(en)]).toEqual([code, true, true]);
      expect([code, covers(shape, label)]).toEqual([code, true]);
    }
  });

  test('the cities are the complete second level, except for cities drawn by district', () => {
    const drawn = new Set(cityShapes.map(({ properties }) => properties.code));
    const missing = divisionRows
      .map(([code]) => code)
      .filter((code) => code % 100 === 0 && code % 10_000 !== 0 && !drawn.has(code));
    expect(missing).toEqual([
      110_100, 120_100, 310_100, 419_000, 429_000, 469_000, 500_100, 500_200, 659_000, 810_100, 810_200, 810_300,
      820_100, 820_200,
    ]);
  });

  test.each<[Position, number]>([
    [[120.15, 30.27], 330_100],
    [[117.67, 36.21], 370_100],
    [[116.45, 39.95], 110_105],
    [[92.05, 31.48], 540_600],
    [[89.03, 27.3], 540_200],
    [[114.06, 22.55], 440_300],
  ])('the point %j lies in city %i', (point, code) => {
    expect(holders(cityShapes, point)).toEqual([code]);
  });
});

describe('the datum', () => {
  test.each([
    ['with Mongolia and Russia in the east', 'province/neimenggu.json', [116.713, 49.8451]],
    ['with Mongolia and Russia in the west', 'province/xinjiang.json', [87.8156, 49.1704]],
  ])(
    'the datum of the source is GCJ-02: converted, the tripoint %s is nearer to its treaty position',
    (_where, file, treaty) => {
      const points = readEchartsMap(file).flatMap(({ geometry }) => geometry.coordinates.flat(2));
      const nearest = (moved: boolean) =>
        Math.min(
          ...points.map(([x = 0, y = 0]) => {
            const [longitude, latitude] = moved ? gcj02ToWgs84([x, y]) : [x, y];
            return Math.hypot((longitude - (treaty[0] ?? 0)) * 0.65, latitude - (treaty[1] ?? 0));
          }),
        );
      expect(nearest(true)).toBeLessThan(nearest(false) - 0.001);
    },
  );
});

describe('small pieces', () => {
  test('a label is placed in the thick of a shape, not in its hollow', () => {
    const horseshoe: MultiPolygon = {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [0, 0],
            [10, 0],
            [10, 10],
            [6, 10],
            [6, 2],
            [4, 2],
            [4, 10],
            [0, 10],
            [0, 0],
          ],
        ],
      ],
    };
    const [x, y] = labelPoint(horseshoe);
    expect(ringContains(horseshoe.coordinates[0]?.[0] ?? [], [x, y])).toBe(true);
    expect(x < 4 || x > 6).toBe(true);
  });

  test.each([
    ['恩施土家族苗族自治州', '恩施', 'Enshi Tujia and Miao Autonomous Prefecture', 'Enshi'],
    ['克孜勒苏柯尔克孜自治州', '克孜勒苏', 'Kizilsu Kirgiz Autonomous Prefecture', 'Kizilsu'],
    ['杭州市', '杭州', 'Hangzhou City', 'Hangzhou'],
    ['大兴安岭地区', '大兴安岭', 'Da Hinggan Ling Prefecture', 'Da Hinggan Ling'],
    ['锡林郭勒盟', '锡林郭勒', 'Xilin Gol League', 'Xilin Gol'],
    ['西城区', '西城区', 'Xicheng District', 'Xicheng'],
    ['大堂区', '大堂区', 'Sé (Cathedral)', 'Sé'],
  ])('the short name of %s is %s; that of %s is %s', (zh, shortZh, en, shortEn) => {
    expect([shortNameZh(zh), shortNameEn(en)]).toEqual([shortZh, shortEn]);
  });
});

function committed(name: string): Topology {
  const file = readdirSync(basemapFolder).find((candidate) => candidate.startsWith(`${name}.`));
  return JSON.parse(readFileSync(basemapFolder + file, 'utf8')) as Topology;
}

type Shape<Properties> = Feature<Polygon | MultiPolygon, Properties>;

function shapesOf<Properties>(from: Topology, name: string): Shape<Properties>[] {
  const collection = feature(from, from.objects[name] as GeometryCollection) as unknown;
  return (collection as FeatureCollection<Polygon | MultiPolygon, Properties>).features;
}

function polygonsOf(geometry: Polygon | MultiPolygon): Position[][][] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

function covers(shape: Shape<unknown>, point: Position): boolean {
  return polygonsOf(shape.geometry).some(
    ([outer = [], ...holes]) => ringContains(outer, point) && !holes.some((hole) => ringContains(hole, point)),
  );
}

function holders(shapes: Shape<DivisionProperties>[], point: Position): number[] {
  return shapes.filter((shape) => covers(shape, point)).map(({ properties }) => properties.code);
}
