export const curvePointsMax = 1_000;

/**
 * At most `curvePointsMax` points that keep the shape of the curve: the lowest and highest power of each stretch of
 * time, the first and last point, and the first doubted ones.
 */
export function thinReadings<Point extends { powerW: number | null; doubt: string | null }>(
  points: readonly Point[],
  max: number = curvePointsMax,
): Point[] {
  if (points.length <= max) return [...points];
  const doubted = points.flatMap(({ doubt }, index) => (doubt === null ? [] : [index])).slice(0, Math.floor(max / 4));
  const stretches = Math.floor((max - 2 - doubted.length) / 2);
  const inner = points.length - 2;
  const kept = new Set([0, points.length - 1, ...doubted]);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = 1 + Math.floor((stretch * inner) / stretches);
    const to = 1 + Math.floor(((stretch + 1) * inner) / stretches);
    let lowest = from;
    let highest = from;
    for (let index = from; index < to; index += 1) {
      if (powerAt(points, index) < powerAt(points, lowest)) lowest = index;
      if (powerAt(points, index) > powerAt(points, highest)) highest = index;
    }
    kept.add(lowest).add(highest);
  }
  return points.filter((_, index) => kept.has(index));
}

function powerAt(points: readonly { powerW: number | null }[], index: number): number {
  return points[index]?.powerW ?? 0;
}
