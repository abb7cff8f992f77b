import { expect, test } from 'vitest';
import { fieldPath, isSamePath } from './field-path.ts';

test("a dotted path from the server becomes the form's field name", () => {
  expect(fieldPath('slots.0.start')).toEqual(['slots', 0, 'start']);
  expect(isSamePath(fieldPath('slots.0.start'), ['slots', '0', 'start'])).toBe(true);
  expect(isSamePath(fieldPath('slots.0'), ['slots', 0, 'start'])).toBe(false);
});
