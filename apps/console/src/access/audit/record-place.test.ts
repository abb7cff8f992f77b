import { expect, test } from 'vitest';
import { recordName, recordPlace } from './record-place.ts';

const entry = { recordKind: 'user', recordId: '6', recordName: null, before: null, after: null };

test('a record is named as the act recorded it, by the later name if there are two', () => {
  expect(recordName({ ...entry, before: { realName: 'Zhang Min' }, after: { realName: 'Zhang Minmin' } })).toBe(
    'Zhang Minmin',
  );
  expect(recordName({ ...entry, before: { name: 'Finance' }, after: null })).toBe('Finance');
  expect(recordName({ ...entry, after: { enabled: false } })).toBeNull();
});

test('a record that still exists is named as lists show it', () => {
  expect(recordName({ ...entry, recordName: '2026112300000012', after: { name: 'Former' } })).toBe('2026112300000012');
});

test('a masked login name is found by its visible digits', () => {
  expect(recordPlace({ ...entry, recordName: '138****5678' })?.address).toBe('/user?text=5678');
});

test('a record with a screen links to it, filtered by name if the screen is a list', () => {
  expect(recordPlace({ ...entry, after: { realName: 'Li & Co' } })?.address).toBe('/user?text=Li+%26+Co');
  expect(recordPlace({ ...entry, recordKind: 'order', recordId: '12' })?.address).toBe('/orderListDetailHistory?id=12');
  expect(recordPlace({ ...entry, recordKind: 'recharge' })).toBeNull();
});
