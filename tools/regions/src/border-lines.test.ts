import type { Feature, MultiPolygon, Position } from 'geojson';
import { describe, expect, test } from 'vitest';
import { borderLines } from './border-lines.ts';

function square(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function division(code: number, ...rings: Position[][]): Feature<MultiPolygon, { code: number }> {
  return {
    type: 'Feature',
    properties: { code },
    geometry: { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) },
  };
}

/** Whether one of the lines passes through a point. */
function passes({ coordinates }: { coordinates: Position[][] }, [x = 0, y = 0]: Position): boolean {
  return coordinates.some((line) =>
    line.slice(1).some(([x1 = 0, y1 = 0], index) => {
      const [x0 = 0, y0 = 0] = line[index] ?? [];
      const isBetween =
        x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
      return isBetween && Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 1e-9;
    }),
  );
}

describe('the outlines of two neighbours', () => {
  test('two outlines with a common line share it as a border of cities or of provinces', () => {
    const inOne = borderLines([division(330100, square(0, 0, 1, 1)), division(330200, square(1, 0, 2, 1))], []);
    expect(passes(inOne.cityBorders, [1, 0.5])).toBe(true);
    expect(passes(inOne.coast, [1, 0.5])).toBe(false);
    expect(passes(inOne.coast, [0, 0.5])).toBe(true);
    const inTwo = borderLines([division(330100, square(0, 0, 1, 1)), division(320100, square(1, 0, 2, 1))], []);
    expect(passes(inTwo.provinceBorders, [1, 0.5])).toBe(true);
  });

  test('two outlines drawn slightly apart still have a border', () => {
    const ring = [...square(0, 0, 1, 1)];
    const apart = [
      [1.02, 0],
      [2, 0],
      [2, 1],
      [1.02, 1],
      [1, 1],
      [1.01, 0.5],
      [1, 0],
      [1.02, 0],
    ];
    const lines = borderLines([division(330100, ring), division(320100, apart)], []);
    expect(passes(lines.provinceBorders, [1.005, 0.75])).toBe(true);
    expect(passes(lines.coast, [1.005, 0.75])).toBe(false);
  });
});

test('a line along another country is frontier, the others are coast', () => {
  const ours = division(330100, square(0, 0, 1, 1), square(5, 5, 5.2, 5.2));
  const abroad = { ...division(0, square(-5, -5, 5, 5)), properties: null };
  const lines = borderLines([ours], [abroad as unknown as Feature<MultiPolygon>]);
  expect(passes(lines.frontier, [0, 0.5])).toBe(true);
  const alone = borderLines([ours], []);
  expect(passes(alone.frontier, [0, 0.5])).toBe(false);
  expect(passes(alone.coast, [0, 0.5])).toBe(true);
});

test('an island close to a neighbour has a coast; a ring that almost touches its neighbour is an enclave', () => {
  const land = division(330100, square(0, 0, 1, 1));
  const island = borderLines([land, division(330200, square(1.02, 0.4, 1.03, 0.6))], []);
  expect(passes(island.coast, [1.02, 0.5])).toBe(true);
  const enclave = borderLines([land, division(330200, square(1.001, 0.4, 1.004, 0.6))], []);
  expect(passes(enclave.cityBorders, [1.001, 0.5])).toBe(true);
});
