import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FewByNumber } from './few-by-number.ts';

type Act = { kind: 'set' | 'delete'; number: number };
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('set', 'delete'),
  number: fc.integer({ max: 4, min: 0 }),
});

test('FewByNumber answers like a Map after any sequence of changes', () => {
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const few = new FewByNumber<string>();
      const map = new Map<number, string>();
      for (const [index, { kind, number }] of acts.entries()) {
        for (const held of [few, map]) {
          if (kind === 'set') held.set(number, `value ${index}`);
          else held.delete(number);
        }
        expect([...few]).toEqual([...map]);
        expect([few.size, [...few.keys()], [...few.values()]]).toEqual([map.size, [...map.keys()], [...map.values()]]);
        expect([few.get(number), few.has(number)]).toEqual([map.get(number), map.has(number)]);
      }
      expect([...new FewByNumber(few)]).toEqual([...map]);
    }),
  );
});

test('deleting an entry inside a loop over FewByNumber skips none of the others', () => {
  const few = new FewByNumber([1, 2, 3].map((number) => [number, String(number)]));
  const passed: number[] = [];
  for (const [number] of few) {
    few.delete(number);
    passed.push(number);
  }
  expect(passed).toEqual([1, 2, 3]);
  expect(few.size).toBe(0);
});
