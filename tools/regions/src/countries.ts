import { createRequire } from 'node:module';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import countryNames from 'i18n-iso-countries';
import type { RegionRow } from './division-rows.ts';
import { readWorld } from './world-map.ts';

/** The first-level row of all other countries. */
export const abroadCode = 900000;

/** China's own parts are not abroad; Kosovo has no code in ISO 3166-1. */
const leftOut = new Set(['CN', 'HK', 'MO', 'TW', 'XK']);

/** Overrides where the library's names are not what people look for, or differ from the usage in China. */
const chineseNames: Readonly<Record<string, string>> = {
  AX: '奥兰群岛',
  EH: '西撒哈拉',
  FK: '福克兰群岛（马尔维纳斯）',
  ID: '印度尼西亚',
};
const englishNames: Readonly<Record<string, string>> = {
  BN: 'Brunei',
  CI: "Côte d'Ivoire",
  FM: 'Micronesia',
  GM: 'Gambia',
  IR: 'Iran',
  LA: 'Laos',
  MD: 'Moldova',
  MK: 'North Macedonia',
  PS: 'Palestine',
  RE: 'Réunion',
  RU: 'Russia',
  SY: 'Syria',
  TZ: 'Tanzania',
  US: 'United States',
  VA: 'Vatican City',
  VG: 'British Virgin Islands',
  VI: 'US Virgin Islands',
};

/**
 * Overrides for countries without a code on the world map, too small to draw, or whose largest part is not their
 * centre.
 */
const centres: Readonly<Record<string, Position>> = {
  BQ: [-68.27, 12.18],
  BV: [3.36, -54.42],
  CC: [96.83, -12.17],
  CX: [105.63, -10.49],
  FR: [2.45, 46.6],
  GF: [-53.1, 3.95],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  MQ: [-61.02, 14.64],
  NO: [9.1, 61.2],
  RE: [55.53, -21.12],
  SJ: [17.5, 78.6],
  TK: [-171.85, -9.2],
  US: [-98.6, 39.8],
  YT: [45.15, -12.82],
};

const require = createRequire(import.meta.url);

/**
 * Rows for places outside China: Abroad (900000), then each country as 9NNN00 from its ISO 3166-1 number NNN, each with
 * one row 9NNN01 named Other, because three levels are always chosen.
 */
export function countryRows(): RegionRow[] {
  countryNames.registerLocale(require('i18n-iso-countries/langs/zh.json'));
  countryNames.registerLocale(require('i18n-iso-countries/langs/en.json'));
  const zh = countryNames.getNames('zh');
  const en = countryNames.getNames('en');
  const shapes = new Map(readWorld().map((shape) => [shape.properties.iso_a2, shape]));
  const rows: RegionRow[] = [[abroadCode, '海外', 'Abroad', 0, 20]];
  for (const [alpha2, english] of Object.entries(en)) {
    if (leftOut.has(alpha2)) continue;
    const chinese = zh[alpha2];
    const numeric = countryNames.alpha2ToNumeric(alpha2);
    if (chinese === undefined || numeric === undefined) throw new Error(`no Chinese name or number for ${alpha2}`);
    const shape = shapes.get(alpha2);
    const centre = centres[alpha2] ?? (shape && middleOf(shape));
    if (centre === undefined) throw new Error(`no centre for ${alpha2} ${english}`);
    const code = abroadCode + Number(numeric) * 100;
    const [longitude = 0, latitude = 0] = centre.map((degrees) => Number(degrees.toFixed(2)));
    rows.push([code, chineseNames[alpha2] ?? chinese, englishNames[alpha2] ?? english, longitude, latitude]);
    rows.push([code + 1, '其它', 'Other', longitude, latitude]);
  }
  return rows.sort((one, other) => one[0] - other[0]);
}

/** The centre of mass of a country's largest part. */
function middleOf({ geometry }: Feature<Polygon | MultiPolygon>): Position {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  let largest = { area: 0, middle: [0, 0] as Position };
  for (const [ring = []] of polygons) {
    const part = areaAndMiddle(ring);
    if (part.area > largest.area) largest = part;
  }
  return largest.middle;
}

function areaAndMiddle(ring: readonly Position[]): { area: number; middle: Position } {
  let twiceArea = 0;
  let sumX = 0;
  let sumY = 0;
  for (let index = 0; index < ring.length; index += 1) {
    const [x0 = 0, y0 = 0] = ring[index] ?? [];
    const [x1 = 0, y1 = 0] = ring[(index + 1) % ring.length] ?? [];
    const cross = x0 * y1 - x1 * y0;
    twiceArea += cross;
    sumX += (x0 + x1) * cross;
    sumY += (y0 + y1) * cross;
  }
  return { area: Math.abs(twiceArea) / 2, middle: [sumX / (3 * twiceArea), sumY / (3 * twiceArea)] };
}
