import { expect, test } from 'vitest';
import { fieldPath, isSamePath } from './field-path.ts';

test('a dotted path of the server finds the field of the form', () => {
  expect(fieldPath('slots.0.start')).toEqual(['slots', 0, 'start']);
  expect(isSamePath(fieldPath('slots.0.start'), ['slots', '0', 'start'])).toBe(true);
  expect(isSamePath(fieldPath('slots.0'), ['slots', 0, 'start'])).toBe(false);
});
