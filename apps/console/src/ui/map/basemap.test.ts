import { readFileSync } from 'node:fs';
import { isWithin } from '@voltdeck/regions/regions';
import type { Topology } from 'topojson-specification';
import { describe, expect, test } from 'vitest';
import { cityShapes, divisionAt, provinceShapes, worldShapes } from './basemap.ts';
import { basemapFiles } from './basemap-files.generated.ts';
import { mercator, tracesOf, tracesOfCities } from './basemap-painter.ts';

const world = worldShapes(committed(basemapFiles.world));
const provinces = provinceShapes(committed(basemapFiles.provinces));
const cities = cityShapes(committed(basemapFiles.cities));

function committed(file: string): Topology {
  return JSON.parse(readFileSync(new URL(`../../../public/${file}`, import.meta.url), 'utf8')) as Topology;
}

describe('the committed map', () => {
  test('the committed map has every outline that is drawn', () => {
    expect(provinces.divisions).toHaveLength(34);
    expect(provinces.dashes.coordinates).toHaveLength(10);
    expect(provinces.islets.coordinates.length).toBeGreaterThan(20);
    expect(cities.divisions.length).toBeGreaterThan(450);
    const { cities: finer, ...traces } = { ...tracesOf(world, provinces), cities: tracesOfCities(cities) };
    for (const lines of [traces.land, traces.borders, ...Object.values(traces.provinces), ...Object.values(finer)]) {
      expect(lines.length).toBeGreaterThan(5);
    }
  });

  test('the committed map finds the province and city of a point, and none at sea or abroad', () => {
    expect(divisionAt(provinces.divisions, 120.15, 30.27)?.code).toBe('330000');
    expect(divisionAt(cities.divisions, 120.15, 30.27)).toMatchObject({ code: '330100', zh: '杭州', en: 'Hangzhou' });
    expect(divisionAt(provinces.divisions, 128, 30)).toBeNull();
    expect(divisionAt(provinces.divisions, 77.2, 28.6)).toBeNull();
  });

  test('the committed map puts every city inside its province', () => {
    for (const city of cities.divisions) {
      // Kinmen and Matsu lie within Fujian's outline too.
      if (city.code > '700000') continue;
      const [longitude = 0, latitude = 0] = city.label;
      const province = divisionAt(provinces.divisions, longitude, latitude);
      expect([city.code, province && isWithin(city.code, province.code)]).toEqual([city.code, true]);
    }
  });

  test('the committed map shows the island of Hainan, not the sea around its southernmost reefs', () => {
    const hainan = provinces.divisions.find(({ code }) => code === '460000');
    expect(hainan?.bounds.south).toBeLessThan(5);
    expect(hainan?.mainBounds.south).toBeGreaterThan(18);
  });
});

test('the projection puts the middle of the world in the middle and stops at the poles', () => {
  expect(mercator([0, 0])).toEqual([128, 128]);
  expect(mercator([180, 90]).map(Math.round)).toEqual([256, 0]);
  expect(mercator([-180, -90]).map(Math.round)).toEqual([0, 256]);
});

test('a map file in an unknown format is refused with a reason', () => {
  const empty: Topology = { type: 'Topology', arcs: [], objects: {} };
  expect(() => worldShapes(empty)).toThrow('the map file has no land');
});
