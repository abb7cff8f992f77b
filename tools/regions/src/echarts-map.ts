import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon, Position } from 'geojson';

/** A shape of an ECharts 4 map file, with its rings as longitude-latitude pairs. */
export interface MapShape {
  /** The division code in the file; some shapes have none. */
  code: number | null;
  name: string;
  geometry: MultiPolygon;
}

interface EncodedShape {
  id?: string;
  properties: { name: string };
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown; encodeOffsets?: unknown };
}

const require = createRequire(import.meta.url);
const mapFolder = require.resolve('echarts-maps-data/map/json/china.json').replace('china.json', '');

/**
 * Reads a map of ECharts 4.9 (`map/json`), decoding its compressed rings.
 *
 * @param file path below `map/json`, such as `province/hainan.json`
 * @returns the shapes that have a geometry; two files list a division once without one
 */
export function readEchartsMap(file: string): MapShape[] {
  const text = readFileSync(mapFolder + file, 'utf8');
  const { features } = JSON.parse(text) as { features: EncodedShape[] };
  return features.flatMap((feature) => {
    const polygons = decodePolygons(feature.geometry);
    if (polygons.length === 0) return [];
    return [
      {
        code: feature.id ? Number(feature.id) : null,
        name: feature.properties.name,
        geometry: { type: 'MultiPolygon', coordinates: polygons } satisfies MultiPolygon,
      },
    ];
  });
}

function decodePolygons({ type, coordinates, encodeOffsets }: EncodedShape['geometry']): MultiPolygon['coordinates'] {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as unknown[][];
  const offsets = (type === 'Polygon' ? [encodeOffsets] : encodeOffsets) as Position[][] | undefined;
  return polygons.map((rings, polygon) =>
    rings.map((ring, index): Polygon['coordinates'][number] =>
      typeof ring === 'string' ? decodeRing(ring, offsets?.[polygon]?.[index] ?? [0, 0]) : (ring as Position[]),
    ),
  );
}

/** Rings are zigzag deltas in 1/1024 degree, one character per number, shifted by 64 to stay printable. */
function decodeRing(text: string, [startX = 0, startY = 0]: Position): Position[] {
  const ring: Position[] = [];
  let x = startX;
  let y = startY;
  for (let index = 0; index + 1 < text.length; index += 2) {
    x += unzigzag(text.charCodeAt(index) - 64);
    y += unzigzag(text.charCodeAt(index + 1) - 64);
    ring.push([x / 1024, y / 1024]);
  }
  return ring;
}

function unzigzag(value: number): number {
  return (value >> 1) ^ -(value & 1);
}
