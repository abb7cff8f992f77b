/** A mark's place on the screen, in pixels. */
export interface Spot {
  key: string;
  x: number;
  y: number;
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The mark that an arrow key leads to: the nearest in that direction, with sideways distance counted double. Null when
 * the key is not an arrow or no mark lies that way.
 */
export function spotTowards(spots: readonly Spot[], from: Spot, key: string): Spot | null {
  const direction = directions[key];
  if (direction === undefined) return null;
  const [dx, dy] = direction;
  let best: Spot | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const along = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    if (spot.key === from.key || along <= 0 || aside > along * 2) continue;
    const cost = along + aside * 2;
    if (cost < bestCost) {
      best = spot;
      bestCost = cost;
    }
  }
  return best;
}
