import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesOf, listChange } from './changes.ts';

const kinds = (before: unknown, after: unknown) =>
  Object.fromEntries(changesOf(before, after).map(({ path, kind }) => [path, kind]));

describe('what an act changed', () => {
  test('what an act changed is listed field by field, changed fields first', () => {
    expect(changesOf({ name: 'A', phone: '1' }, { phone: '2', name: 'A' })).toEqual([
      { path: 'phone', kind: 'changed', before: '1', after: '2' },
      { path: 'name', kind: 'same', before: 'A', after: 'A' },
    ]);
  });

  test('what an act changed is every field when a record was created or deleted', () => {
    expect(kinds(null, { name: 'A', enabled: true })).toEqual({ name: 'added', enabled: 'added' });
    expect(kinds({ name: 'A' }, null)).toEqual({ name: 'removed' });
  });

  test('what an act changed leaves out fields that a form never sends', () => {
    expect(kinds({ id: 3, siteName: 'West', name: 'A' }, { name: 'B' })).toEqual({
      name: 'changed',
      id: 'same',
      siteName: 'same',
    });
  });

  test('what an act changed reaches into nested records and lists of records', () => {
    expect(kinds({ prices: { sharp: 10 }, slots: [{ start: '00:00' }] }, { prices: { sharp: 12 } })).toEqual({
      'prices.sharp': 'changed',
      'slots.0.start': 'same',
    });
  });

  test('what an act changed treats null, absence and an empty text alike', () => {
    expect(kinds({ remark: null, note: '' }, { note: null })).toEqual({ note: 'same', remark: 'same' });
  });

  test('what an act changed in a list of values does not depend on order', () => {
    expect(kinds({ codes: ['a', 'b'] }, { codes: ['b', 'a'] })).toEqual({ codes: 'same' });
    expect(listChange(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'], kept: ['b'] });
    expect(listChange(1, 2)).toBeNull();
  });

  test('what an act changed is empty between a record and itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(changesOf(value, structuredClone(value)).filter(({ kind }) => kind !== 'same')).toEqual([]);
      }),
    );
  });
});
