import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Feature, FeatureCollection, MultiPolygon, Position } from 'geojson';
import { merge, mesh } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification';
import { borderLines } from './border-lines.ts';
import { buildProvinceRows } from './build-regions.ts';
import { gcj02ToWgs84 } from './datum.ts';
import { divisionRows, type RegionRow } from './division-rows.ts';
import { type MapShape, readEchartsMap } from './echarts-map.ts';
import { boxOf, labelPoint } from './label-point.ts';
import { shortNameEn, shortNameZh } from './short-names.ts';
import { readWorld } from './world-map.ts';

export const basemapFolder = fileURLToPath(new URL('../../../apps/console/public/geo/', import.meta.url));
const namesFile = fileURLToPath(
  new URL('../../../apps/console/src/ui/map/basemap-files.generated.ts', import.meta.url),
);

/** The properties of a division's shape: its code and where to write its name. */
export interface DivisionProperties {
  code: number;
  label: [longitude: number, latitude: number];
}

/** A city's shape has its names too, so that the map needs no region table. */
export interface CityProperties extends DivisionProperties {
  zh: string;
  en: string;
}

/** Steps along each side of a file's bounding box: 60 m for China, 400 m for the world. */
const quantization = 1e5;

/** Triangles smaller than this many square degrees are dropped from a city's outline: about 1 km by 1 km. */
const cityDetail = 6e-5;

/** The weight of a point of a district's outline relative to a city's. */
const districtWeight = 10;

/** Offshore rocks smaller than this (degrees, either side) are left out of the city file, except in Hainan Province. */
const islandSizeMin = 0.012;

const taiwan = 710_000;
const hainan = 460_000;
const sansha = 460_300;

/** The land of all other countries in one shape, and the borders between them. Antarctica is left out. */
export function buildWorld(): Topology {
  const whole = topology({ countries: collectionOf(otherCountries()) }, quantization);
  const shapes = whole.objects.countries as GeometryCollection;
  const land = merge(
    whole,
    shapes.geometries.flatMap((shape) => (shape.type === 'MultiPolygon' ? [shape] : [])),
  );
  const borders = mesh(whole, shapes, (one, other) => one !== other);
  return topology({ land, borders }, quantization);
}

function otherCountries(): Feature<MultiPolygon>[] {
  return readWorld()
    .filter(({ properties }) => properties.iso_a2 !== 'AQ' && properties.iso_a2 !== 'CN')
    .map(({ geometry }) => {
      const coordinates = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      return featureOf({ type: 'MultiPolygon', coordinates }, {});
    });
}

/** China's 34 provinces with the islands of the South China Sea, and the ten dashes. */
export function buildProvinces(): Topology {
  const rows = buildProvinceRows().filter(([code]) => code < 900_000);
  const islands = citiesOf('hainan', hainan).find((city) => city.properties.code === sansha);
  const provinces = readEchartsMap('china.json').map((shape): Feature<MultiPolygon, DivisionProperties> => {
    const row = rows.find(([code]) => code === shape.code);
    if (row === undefined) throw new Error(`no province for ${shape.code} ${shape.name}`);
    const { coordinates } = inWgs84(shape.geometry, row[0]);
    const label = labelPoint({ type: 'MultiPolygon', coordinates });
    if (row[0] === hainan) coordinates.push(...(islands?.geometry.coordinates ?? []));
    return featureOf({ type: 'MultiPolygon', coordinates }, { code: row[0], label });
  });
  const { provinceBorders, frontier, coast } = borderLines(provinces, otherCountries());
  return topology(
    {
      provinces: collectionOf(provinces),
      provinceBorders,
      frontier,
      coast,
      dashes: dashes(),
      islets: isletsOf(islands),
    },
    quantization,
  );
}

/**
 * The ten dashes of the South China Sea and east of Taiwan, each a small polygon at its true position: the last ten
 * parts of China's shape on the world map that are not near a coast.
 */
function dashes(): MultiPolygon {
  const china = readWorld().find(({ properties }) => properties.iso_a2 === 'CN');
  if (china?.geometry.type !== 'MultiPolygon') throw new Error('no China on the world map');
  const coordinates = china.geometry.coordinates.slice(-10);
  return { type: 'MultiPolygon', coordinates };
}

/** One point for each group of islets, which are too small to be visible as shapes at a national scale. */
function isletsOf(islands: Feature<MultiPolygon> | undefined): { type: 'MultiPoint'; coordinates: Position[] } {
  const points: Position[] = [];
  for (const [ring = []] of islands?.geometry.coordinates ?? []) {
    const { west, south, east, north } = boxOf(ring);
    const point = [(west + east) / 2, (south + north) / 2] as const;
    if (points.every(([x = 0, y = 0]) => Math.hypot(x - point[0], y - point[1]) > 0.2)) points.push([...point]);
  }
  return { type: 'MultiPoint', coordinates: points };
}

const provinceFiles: Readonly<Record<string, number>> = {
  anhui: 340_000,
  aomen: 820_000,
  beijing: 110_000,
  chongqing: 500_000,
  fujian: 350_000,
  gansu: 620_000,
  guangdong: 440_000,
  guangxi: 450_000,
  guizhou: 520_000,
  hainan: 460_000,
  hebei: 130_000,
  heilongjiang: 230_000,
  henan: 410_000,
  hubei: 420_000,
  hunan: 430_000,
  jiangsu: 320_000,
  jiangxi: 360_000,
  jilin: 220_000,
  liaoning: 210_000,
  neimenggu: 150_000,
  ningxia: 640_000,
  qinghai: 630_000,
  shandong: 370_000,
  shanghai: 310_000,
  shanxi: 140_000,
  shanxi1: 610_000,
  sichuan: 510_000,
  taiwan: 710_000,
  tianjin: 120_000,
  xianggang: 810_000,
  xinjiang: 650_000,
  xizang: 540_000,
  yunnan: 530_000,
  zhejiang: 330_000,
};

/** Cities, and the districts of the four municipalities, Hong Kong and Macao, with their outlines simplified. */
export function buildCities(): Topology {
  const cities = Object.entries(provinceFiles).flatMap(([file, province]) => citiesOf(file, province));
  const islands = cities.find((city) => city.properties.code === sansha);
  const weighted = presimplify(topology({ cities: collectionOf(cities) }));
  keepDistricts(weighted, weighted.objects.cities as GeometryCollection<CityNames>);
  const simplified = simplify(weighted, cityDetail);
  const shapes = simplified.objects.cities as GeometryCollection<CityNames>;
  const shapesByCode = Map.groupBy(shapes.geometries, (shape) => shapeProperties<CityNames>(shape).code);
  const outlines = [...shapesByCode].flatMap(([code, parts]): Feature<MultiPolygon, CityProperties>[] => {
    const first = parts[0];
    if (first === undefined) return [];
    const names = shapeProperties<CityNames>(first);
    const polygons = parts.flatMap((part) => (part.type === 'MultiPolygon' ? [part] : []));
    const whole = code === sansha && islands ? islands.geometry : withoutRocks(merge(simplified, polygons));
    return [featureOf(whole, { ...names, label: labelPoint(whole) })];
  });
  return topology({ cities: collectionOf(outlines), ...borderLines(outlines, otherCountries()) }, quantization);
}

function provinceIn(code: number): number {
  return code - (code % 10_000);
}

/** The longer side of a ring's bounding box, degrees. */
function sideOf(ring: readonly Position[]): number {
  const { west, south, east, north } = boxOf(ring);
  return Math.max(east - west, north - south);
}

/** Districts are a tenth of a city's size, so their outlines keep points that a city's would lose. */
function keepDistricts(weighted: Topology, shapes: GeometryCollection<CityNames>): void {
  const outlines = shapes.geometries.flatMap((shape) => {
    const isDistrict = shape.type === 'MultiPolygon' && shapeProperties<CityNames>(shape).code % 100 !== 0;
    return isDistrict ? shape.arcs.flat(2) : [];
  });
  // A negative number is an arc in reverse, ~index.
  for (const index of new Set(outlines.map((arc) => (arc < 0 ? ~arc : arc)))) {
    for (const point of weighted.arcs[index] ?? []) point[2] = (point[2] ?? 0) * districtWeight;
  }
}

function withoutRocks(whole: MultiPolygon): MultiPolygon {
  const kept = whole.coordinates.filter(([ring = []]) => {
    return ring.length > 3 && sideOf(ring) > islandSizeMin;
  });
  return kept.length > 0 ? { type: 'MultiPolygon', coordinates: kept } : whole;
}

/** Divisions renamed or merged since the maps were drawn. */
const renamed: Readonly<Record<string, string>> = {
  那曲地区: '那曲市',
  哈密地区: '哈密市',
  梁平县: '梁平区',
  武隆县: '武隆区',
  莱芜市: '济南市',
  路凼填海区: '路氹填海区',
};

type CityNames = Omit<CityProperties, 'label'>;

function citiesOf(file: string, province: number): Feature<MultiPolygon, CityNames>[] {
  return readEchartsMap(`province/${file}.json`).map((shape) => {
    const [code, zh, en] = divisionOf(shape, province) ?? [province, '', ''];
    return featureOf(inWgs84(shape.geometry, province), { code, zh: shortNameZh(zh), en: shortNameEn(en) });
  });
}

/** Null for the one shape that is not a second-level division: the islets of Diaoyu Dao, drawn as Taiwan's. */
function divisionOf(shape: MapShape, province: number): RegionRow | null {
  if (shape.name === '中国属钓鱼岛') return null;
  const name = renamed[shape.name] ?? shape.name;
  const division = divisionRows.find(([code, zh]) => zh === name && code !== province && provinceIn(code) === province);
  if (division === undefined) throw new Error(`no division for ${shape.code} ${shape.name}`);
  return division;
}

/**
 * ECharts' shapes are in China's GCJ-02: once converted, the tripoints with Mongolia and Russia are 0.5 km nearer to
 * their treaty positions. Taiwan's come from a source in WGS-84.
 */
function inWgs84(geometry: MultiPolygon, province: number): MultiPolygon {
  if (province === taiwan) return geometry;
  return {
    type: 'MultiPolygon',
    coordinates: geometry.coordinates.map((rings) => rings.map((ring) => ring.map(gcj02ToWgs84))),
  };
}

function featureOf<Properties>(geometry: MultiPolygon, properties: Properties): Feature<MultiPolygon, Properties> {
  return { type: 'Feature', geometry, properties };
}

function collectionOf<Properties>(
  features: Feature<MultiPolygon, Properties>[],
): FeatureCollection<MultiPolygon, Properties> {
  return { type: 'FeatureCollection', features };
}

function shapeProperties<Properties>(shape: GeometryObject): Properties {
  return shape.properties as Properties;
}

/** Each file's name contains a digest of its content, so that browsers may cache it for ever. */
export function basemapFiles(): { name: 'world' | 'provinces' | 'cities'; file: string; text: string }[] {
  return (
    [
      ['world', buildWorld()],
      ['provinces', buildProvinces()],
      ['cities', buildCities()],
    ] as const
  ).map(([name, built]) => {
    const text = JSON.stringify(built);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    return { name, file: `${name}.${digest}.json`, text };
  });
}

if (import.meta.main) {
  const files = basemapFiles();
  mkdirSync(basemapFolder, { recursive: true });
  for (const old of readdirSync(basemapFolder)) rmSync(basemapFolder + old);
  for (const { file, text } of files) writeFileSync(basemapFolder + file, text);
  const entries = files.map(({ name, file }) => `  ${name}: 'geo/${file}',\n`).join('');
  writeFileSync(
    namesFile,
    `/** Made by tools/regions/src/build-basemap.ts: the files below apps/console/public. */\nexport const basemapFiles = {\n${entries}} as const;\n`,
  );
}
