import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LabelWish, overlap, placeLabels } from './site-map-labels.ts';

const frame = { left: 0, top: 0, right: 1000, bottom: 800 };

const anyWish = fc.record({
  code: fc.string(),
  text: fc.string(),
  x: fc.integer({ min: 0, max: 1000 }),
  y: fc.integer({ min: 0, max: 800 }),
  width: fc.integer({ min: 10, max: 90 }),
  height: fc.constant(12),
});

function wish(code: string, x: number, y: number): LabelWish {
  return { code, text: code, x, y, width: 40, height: 12 };
}

test('no name covers another name or an obstacle', () => {
  const anyBox = fc.record({ left: fc.integer({ max: 900, min: 0 }), top: fc.integer({ max: 700, min: 0 }) });
  fc.assert(
    fc.property(fc.array(anyWish, { maxLength: 80 }), fc.array(anyBox, { maxLength: 20 }), (wishes, corners) => {
      const obstacles = corners.map(({ left, top }) => ({ left, top, right: left + 40, bottom: top + 40 }));
      const placed = placeLabels(wishes, obstacles, frame);
      for (const [index, { box }] of placed.entries()) {
        expect(obstacles.some((obstacle) => overlap(box, obstacle))).toBe(false);
        expect(placed.slice(0, index).some((other) => overlap(box, other.box))).toBe(false);
      }
    }),
  );
});

test('a name with room stands at its preferred place', () => {
  expect(placeLabels([wish('a', 500, 400)], [], frame)).toMatchObject([{ code: 'a', x: 500, y: 400 }]);
});

test('a name moves aside for a mark, and the more important name stays', () => {
  const mark = { left: 480, top: 380, right: 520, bottom: 405 };
  const [stepped] = placeLabels([wish('a', 500, 400)], [mark], frame);
  expect(stepped).toMatchObject({ x: 500, y: 420.4 });
  const [first, second] = placeLabels([wish('a', 500, 400), wish('b', 505, 400)], [], frame);
  expect(first).toMatchObject({ code: 'a', x: 500, y: 400 });
  expect(second?.y).not.toBe(400);
});

test('a name without room is left out', () => {
  const everywhere = { left: 300, top: 300, right: 700, bottom: 500 };
  expect(placeLabels([wish('a', 500, 400)], [everywhere], frame)).toEqual([]);
  expect(placeLabels([wish('a', -200, 400)], [], frame)).toEqual([]);
});
