import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cityShapes, provinceShapes } from './basemap.ts';
import { basemapFiles } from './basemap-files.generated.ts';
import { outsideRegion } from './region-of-point.ts';

const committed = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../../public/${file}`, import.meta.url), 'utf8'));
const outlines = {
  provinces: provinceShapes(committed(basemapFiles.provinces)).divisions,
  cities: cityShapes(committed(basemapFiles.cities)).divisions,
};
const nanshan = { longitude: 113.943, latitude: 22.54 };

test('a point in its city is inside, and one in another city is named with where it lies', () => {
  expect(outsideRegion(outlines, '440305', nanshan)).toBeNull();
  expect(outsideRegion(outlines, '330105', nanshan)).toEqual({ expected: '330100', found: '440300' });
});

test('a point in another district of a municipality is outside, since their districts have outlines', () => {
  const chaoyang = { longitude: 116.4797, latitude: 39.9968 };
  expect(outsideRegion(outlines, '110105', chaoyang)).toBeNull();
  expect(outsideRegion(outlines, '110114', chaoyang)).toMatchObject({ expected: '110114' });
});

test('a point at sea is outside, while one just off a simplified shore is not', () => {
  expect(outsideRegion(outlines, '440305', { longitude: 115, latitude: 19 })).toEqual({
    expected: '440300',
    found: null,
  });
  expect(outsideRegion(outlines, '460106', { longitude: 110.309, latitude: 20.034 })).toBeNull();
});

test('a region without an outline says nothing about its points', () => {
  expect(outsideRegion(outlines, '925001', nanshan)).toBeNull();
});
