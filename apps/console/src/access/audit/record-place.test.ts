import { expect, test } from 'vitest';
import { recordName, recordPlace } from './record-place.ts';

const entry = { recordKind: 'user', recordId: '6', before: null, after: null };

test('a record is called what the act noted, the later name first', () => {
  expect(recordName({ before: { realName: 'Zhang Min' }, after: { realName: 'Zhang Minmin' } })).toBe('Zhang Minmin');
  expect(recordName({ before: { name: 'Finance' }, after: null })).toBe('Finance');
  expect(recordName({ before: null, after: { enabled: false } })).toBeNull();
});

test('records with a screen lead there, found by name where the screen is a list', () => {
  expect(recordPlace({ ...entry, after: { realName: 'Li & Co' } })?.address).toBe('/user?text=Li%20%26%20Co');
  expect(recordPlace({ ...entry, recordKind: 'order', recordId: '12' })?.address).toBe('/orderListDetailHistory?id=12');
  expect(recordPlace({ ...entry, recordKind: 'recharge' })).toBeNull();
});
