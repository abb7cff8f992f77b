import { expect, test } from 'vitest';
import { isStorable, levelsMax, unstorable } from './unstorable.ts';

test('U+0000 and half a surrogate pair are reported at the field that holds them, in texts and in names', () => {
  expect(unstorable({ name: 'a\0b', list: ['fine', '\ud800'], inner: { 'k\0': 1 }, note: '𝄞 \u{10ffff}' })).toEqual([
    { path: 'name', code: 'bad_characters' },
    { path: 'inner.k\ufffd', code: 'bad_characters' },
    { path: 'list.1', code: 'bad_characters' },
  ]);
});

test('excessive nesting is reported at its outermost field, however deep', () => {
  const nest = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = { a: value };
    return value;
  };
  expect(unstorable({ payload: nest(levelsMax - 1) })).toEqual([]);
  const fault = { path: 'payload', code: 'too_deep', params: { max: levelsMax } };
  expect(unstorable({ payload: nest(levelsMax) })).toEqual([fault]);
  expect(unstorable({ payload: nest(200_000) })).toEqual([fault]);
});

test('every other character and value passes', () => {
  expect(unstorable({ a: null, b: true, c: 1, d: undefined, e: [], f: '\u0001\u202e\uffff' })).toEqual([]);
  expect([isStorable(''), isStorable('\u0007'), isStorable('\ude00')]).toEqual([true, true, false]);
});
