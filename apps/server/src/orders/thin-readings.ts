export const curvePointsMax = 1_000;

/**
 * At most `curvePointsMax` points in the shape of all of them: each stretch of time keeps its lowest and its highest
 * power, and the first and the last point stay.
 */
export function thinReadings<Point extends { powerW: number | null }>(points: readonly Point[]): Point[] {
  if (points.length <= curvePointsMax) return [...points];
  const stretches = (curvePointsMax - 2) / 2;
  const inner = points.length - 2;
  const kept = new Set([0, points.length - 1]);
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
