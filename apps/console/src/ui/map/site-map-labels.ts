/** A rectangle on the screen, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A name to place; more important ones come first in the list. */
export interface LabelWish {
  code: string;
  text: string;
  /** The preferred centre, in pixels. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedLabel extends LabelWish {
  box: Box;
}

/** Where a label may move, in multiples of its size: in place, below, above, right, left. */
const stepsAside: readonly (readonly [widths: number, heights: number])[] = [
  [0, 0],
  [0, 1.7],
  [0, -1.7],
  [0.75, 0],
  [-0.75, 0],
];

/** Room around each label. */
const marginPx = 3;

/** Places labels so that none covers another or an obstacle; earlier ones win, and labels without room are left out. */
export function placeLabels(wishes: readonly LabelWish[], obstacles: readonly Box[], frame: Box): PlacedLabel[] {
  const taken: Box[] = [...obstacles];
  const placed: PlacedLabel[] = [];
  for (const wish of wishes) {
    for (const [widths, heights] of stepsAside) {
      const x = wish.x + widths * wish.width;
      const y = wish.y + heights * wish.height;
      const box = {
        left: x - wish.width / 2 - marginPx,
        right: x + wish.width / 2 + marginPx,
        top: y - wish.height / 2 - marginPx,
        bottom: y + wish.height / 2 + marginPx,
      };
      if (!overlap(box, frame) || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      placed.push({ ...wish, x, y, box });
      break;
    }
  }
  return placed;
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function boxHolds(box: Box, x: number, y: number): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}
