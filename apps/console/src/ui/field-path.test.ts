import { expect, test } from 'vitest';
import { fieldHolding, fieldPath, isSamePath } from './field-path.ts';

test("a dotted path from the server becomes the form's field name", () => {
  expect(fieldPath('slots.0.start')).toEqual(['slots', 0, 'start']);
  expect(isSamePath(fieldPath('slots.0.start'), ['slots', '0', 'start'])).toBe(true);
  expect(isSamePath(fieldPath('slots.0'), ['slots', 0, 'start'])).toBe(false);
});

test('a fault belongs to its own field, or to the innermost field that holds it', () => {
  const known = [['prices'], ['prices', 0, 'tariffId'], ['siteIds']];
  expect(fieldHolding(known, fieldPath('prices.0.tariffId'))).toEqual(['prices', 0, 'tariffId']);
  expect(fieldHolding(known, fieldPath('prices.1.tariffId'))).toEqual(['prices']);
  expect(fieldHolding(known, fieldPath('siteIds.3'))).toEqual(['siteIds']);
  expect(fieldHolding(known, fieldPath('site'))).toBeUndefined();
});
