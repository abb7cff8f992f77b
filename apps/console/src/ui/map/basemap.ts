import type { FeatureCollection, MultiLineString, MultiPoint, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Where the three files of the offline map are; a deployment may use its own in the same format. */
export interface BasemapFiles {
  world: string;
  provinces: string;
  cities: string;
}

/** Degrees. */
export interface GeoBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A division's outline, with where to write its name. */
export interface Division {
  code: string;
  polygons: readonly (readonly Position[][])[];
  bounds: GeoBox;
  /** The bounds of the main parts, for zooming: with far-off islets, the map would show mostly sea. */
  mainBounds: GeoBox;
  label: Position;
  /** Square degrees of the bounding box: larger is more important. */
  size: number;
  /** Only for cities, whose names are not available otherwise. */
  zh?: string;
  en?: string;
}

export interface WorldShapes {
  land: MultiPolygon;
  borders: MultiLineString;
}

/** Outlines by what they separate, each line once. */
export interface Borders {
  provinceBorders: MultiLineString;
  /** China and other countries. */
  frontier: MultiLineString;
  coast: MultiLineString;
}

export interface ProvinceShapes extends Borders {
  divisions: readonly Division[];
  dashes: MultiPolygon;
  islets: MultiPoint;
}

export interface CityShapes extends Borders {
  divisions: readonly Division[];
  /** Borders between cities of one province. */
  cityBorders: MultiLineString;
}

/** Timeout for each of the map's files. */
const loadTimeoutMs = 30_000;

/**
 * Fetches one file of the map.
 *
 * @throws when the file is missing, is not JSON or takes longer than half a minute; the caller offers a retry
 */
async function fetchTopology(address: string, signal: AbortSignal): Promise<Topology> {
  const answer = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(loadTimeoutMs)]) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return (await answer.json()) as Topology;
}

export async function loadWorld(address: string, signal: AbortSignal): Promise<WorldShapes> {
  return worldShapes(await fetchTopology(address, signal));
}

export async function loadProvinces(address: string, signal: AbortSignal): Promise<ProvinceShapes> {
  return provinceShapes(await fetchTopology(address, signal));
}

export async function loadCities(address: string, signal: AbortSignal): Promise<CityShapes> {
  return cityShapes(await fetchTopology(address, signal));
}

export function worldShapes(topology: Topology): WorldShapes {
  return {
    land: geometryOf<MultiPolygon>(topology, 'land'),
    borders: geometryOf<MultiLineString>(topology, 'borders'),
  };
}

export function provinceShapes(topology: Topology): ProvinceShapes {
  return {
    divisions: divisionsOf(topology, 'provinces'),
    ...bordersOf(topology),
    dashes: geometryOf<MultiPolygon>(topology, 'dashes'),
    islets: geometryOf<MultiPoint>(topology, 'islets'),
  };
}

export function cityShapes(topology: Topology): CityShapes {
  return {
    divisions: divisionsOf(topology, 'cities'),
    ...bordersOf(topology),
    cityBorders: geometryOf<MultiLineString>(topology, 'cityBorders'),
  };
}

function bordersOf(topology: Topology): Borders {
  return {
    provinceBorders: geometryOf<MultiLineString>(topology, 'provinceBorders'),
    frontier: geometryOf<MultiLineString>(topology, 'frontier'),
    coast: geometryOf<MultiLineString>(topology, 'coast'),
  };
}

/** The division that contains a point, or null at sea and abroad. */
export function divisionAt(divisions: readonly Division[], longitude: number, latitude: number): Division | null {
  const found = divisions.find(
    ({ bounds, polygons }) =>
      longitude >= bounds.west &&
      longitude <= bounds.east &&
      latitude >= bounds.south &&
      latitude <= bounds.north &&
      polygons.some(([outer = [], ...holes]) => {
        return ringHolds(outer, longitude, latitude) && !holes.some((hole) => ringHolds(hole, longitude, latitude));
      }),
  );
  return found ?? null;
}

function ringHolds(ring: readonly Position[], x: number, y: number): boolean {
  let inside = false;
  for (let index = 0, last = ring.length - 1; index < ring.length; last = index, index += 1) {
    const [x0 = 0, y0 = 0] = ring[last] ?? [];
    const [x1 = 0, y1 = 0] = ring[index] ?? [];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

interface DivisionProperties {
  code: number;
  label: Position;
  zh?: string;
  en?: string;
}

/** Extracts the single geometry under this name, by way of a feature. */
function geometryOf<Geometry>(topology: Topology, name: string): Geometry {
  const object = topology.objects[name];
  if (object === undefined) throw new Error(`the map file has no ${name}`);
  return (feature(topology, object) as unknown as { geometry: Geometry }).geometry;
}

function divisionsOf(topology: Topology, name: string): Division[] {
  const shapes = topology.objects[name] as GeometryCollection<DivisionProperties>;
  const { features } = feature(topology, shapes) as FeatureCollection<Polygon | MultiPolygon, DivisionProperties>;
  return features.map(({ geometry, properties }) => {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const bounds = boundsOf(polygons);
    const sizes = polygons.map((polygon) => sizeOf(boundsOf([polygon])));
    const main = polygons.filter((_, index) => (sizes[index] ?? 0) >= Math.max(...sizes) * mainPartMin);
    return {
      ...properties,
      code: String(properties.code),
      polygons,
      bounds,
      mainBounds: boundsOf(main),
      size: sizeOf(bounds),
    };
  });
}

/** Parts with at least this share of the largest part's size are main parts. */
const mainPartMin = 0.08;

function sizeOf({ west, south, east, north }: GeoBox): number {
  return (east - west) * (north - south);
}

function boundsOf(polygons: readonly Position[][][]): GeoBox {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [ring = []] of polygons) {
    for (const [x = 0, y = 0] of ring) {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return { west, south, east, north };
}
