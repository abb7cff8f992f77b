import fc from 'fast-check';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrRectangles } from './qr-rectangles.ts';

test('the rectangles of a code cover its dark modules and no other, each once', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'binary-ascii' }), (text) => {
      const { size, rectangles } = qrRectangles(text);
      const area = rectangles.reduce((sum, { width, height }) => sum + width * height, 0);
      const drawn = Array.from({ length: size }, () => new Uint8Array(size));
      for (const { x, y, width, height } of rectangles) {
        for (let row = y; row < y + height; row += 1) {
          for (let column = x; column < x + width; column += 1) (drawn[row] as Uint8Array)[column] = 1;
        }
      }
      expect(drawn.map((row) => [...row])).toEqual(
        encode(text, { ecc: 'M', border: 0 }).data.map((row) => row.map(Number)),
      );
      expect(area).toBe(drawn.flatMap((row) => [...row]).filter((module) => module === 1).length);
    }),
    { numRuns: 50 },
  );
});

test('neighbouring modules are one rectangle: fewer than one for two dark modules', () => {
  const { rectangles } = qrRectangles('32010600019236-1');
  const modules = rectangles.reduce((sum, { width, height }) => sum + width * height, 0);
  expect(rectangles.length * 2).toBeLessThan(modules);
});
