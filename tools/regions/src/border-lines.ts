import type { Feature, MultiLineString, MultiPolygon, Position } from 'geojson';
import { topology } from 'topojson-server';
import type { GeometryCollection } from 'topojson-specification';
import { boxOf, ringContains } from './label-point.ts';

/** Outlines of divisions by what they separate, each line once. */
export interface BorderLines {
  /** Two divisions of one province. */
  cityBorders: MultiLineString;
  provinceBorders: MultiLineString;
  /** China and another country. */
  frontier: MultiLineString;
  coast: MultiLineString;
}

/** Neighbours' outlines drawn apart are one border within this distance, degrees. */
const neighbourReach = 0.04;

/** A ring without contact is an enclave within this distance of its neighbour, and an island beyond. */
const enclaveReach = 0.01;

/** A coarse map's border may be this far from ours, degrees. */
const countryReach = 0.3;

/**
 * Sorts the outlines of divisions by what they separate. A line shared by two divisions is their border. A line of one
 * division may still be a border that the two sides drew differently: then most of it is close to another division, or
 * to another country.
 */
export function borderLines(
  divisions: readonly Feature<MultiPolygon, { code: number }>[],
  countries: readonly Feature<MultiPolygon>[],
): BorderLines {
  const whole = topology({ divisions: { type: 'FeatureCollection', features: [...divisions] } });
  const owners = new Map<number, number[]>();
  const shapes = whole.objects.divisions as GeometryCollection<{ code: number }>;
  for (const shape of shapes.geometries) {
    if (shape.type !== 'MultiPolygon' && shape.type !== 'Polygon') continue;
    const code = (shape.properties as { code: number }).code;
    // A negative number is an arc in reverse, ~index.
    for (const arc of new Set((shape.arcs.flat(3) as number[]).map((index) => (index < 0 ? ~index : index)))) {
      owners.set(arc, [...(owners.get(arc) ?? []), code]);
    }
  }
  const sorted: Record<keyof BorderLines, Position[][]> = {
    cityBorders: [],
    provinceBorders: [],
    frontier: [],
    coast: [],
  };
  const segments = new SegmentGrid(neighbourReach);
  for (const [arc, codes] of owners) segments.add(whole.arcs[arc] ?? [], codes);
  const foreign = new SegmentGrid(countryReach);
  const foreignRings = countries.flatMap(({ geometry }) => geometry.coordinates.map(([ring = []]) => ring));
  for (const ring of foreignRings) foreign.add(ring, [0]);
  const foreignAreas = foreignRings.map((ring) => ({ ring, box: boxOf(ring) }));
  for (const [arc, codes] of owners) {
    const line = whole.arcs[arc] ?? [];
    const [one = 0, other] = codes;
    if (other !== undefined) {
      sorted[provinceOf(one) === provinceOf(other) ? 'cityBorders' : 'provinceBorders'].push(line);
      continue;
    }
    const middles = line.slice(1).map((to, index): Position => middleOf(line[index] ?? to, to));
    const isRing = String(line[0]) === String(line.at(-1));
    const reach = isRing ? enclaveReach : neighbourReach;
    const neighbours = middles.map((point) => segments.nearestOther(point, one, reach));
    const near = neighbours.filter((code) => code !== null);
    if (near.length * 2 > middles.length) {
      const isWithin = near.filter((code) => provinceOf(code) === provinceOf(one)).length * 2 > near.length;
      sorted[isWithin ? 'cityBorders' : 'provinceBorders'].push(line);
      continue;
    }
    const abroad = middles.filter(
      (point) =>
        foreign.nearestOther(point, one, countryReach) !== null || foreignAreas.some((area) => isInside(area, point)),
    );
    sorted[abroad.length * 2 > middles.length ? 'frontier' : 'coast'].push(line);
  }
  const lines = (coordinates: Position[][]): MultiLineString => ({ type: 'MultiLineString', coordinates });
  return {
    cityBorders: lines(sorted.cityBorders),
    provinceBorders: lines(sorted.provinceBorders),
    frontier: lines(sorted.frontier),
    coast: lines(sorted.coast),
  };
}

/** Segments by grid cell, to find those near a point, up to one cell away. */
class SegmentGrid {
  readonly #cellSize: number;
  readonly #cells = new Map<string, { from: Position; to: Position; codes: readonly number[] }[]>();

  constructor(cellSize: number) {
    this.#cellSize = cellSize;
  }

  add(line: readonly Position[], codes: readonly number[]): void {
    for (let index = 1; index < line.length; index += 1) {
      const segment = { from: line[index - 1] ?? [], to: line[index] ?? [], codes };
      const { west, south, east, north } = boxOf([segment.from, segment.to]);
      for (let column = this.#cell(west) - 1; column <= this.#cell(east) + 1; column += 1) {
        for (let row = this.#cell(south) - 1; row <= this.#cell(north) + 1; row += 1) {
          const key = `${column},${row}`;
          const cell = this.#cells.get(key);
          if (cell) cell.push(segment);
          else this.#cells.set(key, [segment]);
        }
      }
    }
  }

  /** The nearest division within reach of a point, except `own`; null if there is none. */
  nearestOther(point: Position, own: number, reach: number): number | null {
    const [x = 0, y = 0] = point;
    let nearest: number | null = null;
    let distance = Math.min(reach, this.#cellSize);
    for (const { from, to, codes } of this.#cells.get(`${this.#cell(x)},${this.#cell(y)}`) ?? []) {
      const other = codes.find((code) => code !== own);
      if (other === undefined || codes.includes(own)) continue;
      const apart = distanceTo(point, from, to);
      if (apart >= distance) continue;
      distance = apart;
      nearest = other;
    }
    return nearest;
  }

  #cell(degrees: number): number {
    return Math.floor(degrees / this.#cellSize);
  }
}

function isInside({ ring, box }: { ring: Position[]; box: ReturnType<typeof boxOf> }, point: Position): boolean {
  const [x = 0, y = 0] = point;
  return x >= box.west && x <= box.east && y >= box.south && y <= box.north && ringContains(ring, point);
}

function distanceTo([x = 0, y = 0]: Position, [x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - along * dx, y - y0 - along * dy);
}

function middleOf([x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position): Position {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

function provinceOf(code: number): number {
  return Math.floor(code / 10_000);
}
