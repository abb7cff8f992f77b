import type { MultiPolygon, Position } from 'geojson';

/**
 * A point well inside a shape, for its label: the one farthest from the outline, found on a grid that is refined around
 * the best cell. Distances are in degrees with longitude shrunk by latitude, which is exact enough for a label.
 *
 * @returns longitude and latitude, rounded to 0.001 degree
 */
export function labelPoint({ coordinates }: MultiPolygon): [number, number] {
  const rings = coordinates.map(([outer = []]) => outer).sort((one, other) => boxArea(other) - boxArea(one));
  const ring = rings[0] ?? [];
  let { west, south, east, north } = boxOf(ring);
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  let best: [number, number] = [(west + east) / 2, (south + north) / 2];
  let bestDistance = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < 4; round += 1) {
    const stepX = (east - west) / 16;
    const stepY = (north - south) / 16;
    for (let column = 0; column <= 16; column += 1) {
      for (let line = 0; line <= 16; line += 1) {
        const point: [number, number] = [west + column * stepX, south + line * stepY];
        const distance = distanceInside(ring, point, shrink);
        if (distance > bestDistance) {
          bestDistance = distance;
          best = point;
        }
      }
    }
    [west, south, east, north] = [best[0] - stepX, best[1] - stepY, best[0] + stepX, best[1] + stepY];
  }
  return [Number(best[0].toFixed(3)), Number(best[1].toFixed(3))];
}

/** Whether a ring encloses a point, by the even-odd rule. */
export function ringContains(ring: readonly Position[], [x = 0, y = 0]: Position): boolean {
  let inside = false;
  for (let index = 0, last = ring.length - 1; index < ring.length; last = index, index += 1) {
    const [x0 = 0, y0 = 0] = ring[last] ?? [];
    const [x1 = 0, y1 = 0] = ring[index] ?? [];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

/** Distance to the outline, negative outside. */
function distanceInside(ring: readonly Position[], [x, y]: [number, number], shrink: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 1; index < ring.length; index += 1) {
    const [x0 = 0, y0 = 0] = ring[index - 1] ?? [];
    const [x1 = 0, y1 = 0] = ring[index] ?? [];
    const dx = (x1 - x0) * shrink;
    const dy = y1 - y0;
    const px = (x - x0) * shrink;
    const py = y - y0;
    const along = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(px - along * dx, py - along * dy));
  }
  return ringContains(ring, [x, y]) ? nearest : -nearest;
}

function boxArea(ring: readonly Position[]): number {
  const { west, south, east, north } = boxOf(ring);
  return (east - west) * (north - south);
}

export function boxOf(ring: readonly Position[]): { west: number; south: number; east: number; north: number } {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [x = 0, y = 0] of ring) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return { west, south, east, north };
}
