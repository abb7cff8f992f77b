import { encode } from 'uqr';

export type Rectangle = { x: number; y: number; width: number; height: number };

/** The dark parts of a QR code (ISO/IEC 18004, level M) as few rectangles, in modules; `size` is the code's side. */
export function qrRectangles(text: string): { size: number; rectangles: Rectangle[] } {
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const rectangles: Rectangle[] = [];
  let above = new Map<string, Rectangle>();
  for (const [y, row] of data.entries()) {
    const inRow = new Map<string, Rectangle>();
    for (let x = 0; x < size; x += 1) {
      if (row[x] !== true) continue;
      let end = x;
      while (row[end] === true) end += 1;
      const run = `${x} ${end}`;
      const longer = above.get(run);
      if (longer === undefined) {
        const rectangle = { x, y, width: end - x, height: 1 };
        rectangles.push(rectangle);
        inRow.set(run, rectangle);
      } else {
        longer.height += 1;
        inRow.set(run, longer);
      }
      x = end;
    }
    above = inRow;
  }
  return { size, rectangles };
}
