import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fieldFaults } from './field-faults.ts';
import { dayField, idField, linesField, textField } from './fields.ts';

const faultsOf = (schema: z.ZodMiniType, value: unknown) => {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? [] : fieldFaults(parsed.error.issues, value).map(({ code }) => code);
};

describe('a text on one line', () => {
  test.each(['Lake side 1', '湖滨站 1 号桩', 'Straße “7”', 'شاحن', '\u{1f50c} A\u200dB'])('may be %s', (text) => {
    expect(faultsOf(textField(64), text)).toEqual([]);
    expect(faultsOf(linesField(64), text)).toEqual([]);
  });

  test.each([
    ['a control character', 'A\u0001B'],
    ['a deleted character', 'A\u007fB'],
    ['a turn to the left', 'A\u202eB'],
    ['an isolate', 'A\u2067B'],
    ['a paragraph separator', 'A\u2029B'],
    ['nothing that can be seen', '\u200b\u200d\u3164'],
  ])('with %s is refused, on several lines too', (_what, text) => {
    expect(faultsOf(textField(64), text)).toEqual(['bad_characters']);
    expect(faultsOf(linesField(64), text)).toEqual(['bad_characters']);
  });

  test('with a joiner within it or nothing at all is as it was', () => {
    expect(faultsOf(textField(64), '👩\u200d🔧')).toEqual([]);
    expect(faultsOf(textField(64, 0), '')).toEqual([]);
  });

  test('a text with a line break is refused on one line, and accepted on several', () => {
    for (const text of ['A\r\nB', 'A\nB', 'A\tB']) {
      expect(faultsOf(textField(64), text)).toEqual(['bad_characters']);
      expect(faultsOf(linesField(64), text)).toEqual([]);
    }
    expect(z.parse(textField(64), ' A\n')).toBe('A');
  });
});

test.each([
  ['1970-01-01', []],
  ['2028-02-29', []],
  ['9999-12-31', []],
  ['1969-12-31', ['not_day']],
  ['0000-01-01', ['not_day']],
  ['2027-02-29', ['not_day']],
  ['10000-01-01', ['not_day']],
  ['tomorrow', ['not_day']],
])('the day %s has the faults %j', (text, faults) => {
  expect(faultsOf(dayField, text)).toEqual(faults);
});

test('a number too large for any field is refused without a bound that says nothing', () => {
  expect(faultsOf(idField(), 1e300)).toEqual(['out_of_range']);
  expect(faultsOf(z.int(), -1e300)).toEqual(['out_of_range']);
  expect(faultsOf(z.int().check(z.lte(10)), 11)).toEqual(['too_big']);
});
