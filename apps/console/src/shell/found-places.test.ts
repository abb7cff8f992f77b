import { foundKinds } from '@voltdeck/contract/search';
import { expect, test } from 'vitest';
import { addressOfFound } from './found-places.ts';

const found = (kind: (typeof foundKinds)[number]) => ({ kind, id: 7, number: 'A&1', detail: '' });

test('a found record opens on the first of its screens that may be opened, the filter set', () => {
  const all = new Set([
    '/orderListDetailHistory',
    '/orderListDetailReal',
    '/deviceDetail',
    '/cardList',
    '/registerUser',
  ]);
  expect(foundKinds.map((kind) => addressOfFound(found(kind), all))).toEqual([
    '/orderListDetailHistory?id=7',
    '/deviceDetail?id=7',
    '/cardList?number=A%261',
    '/registerUser?phone=A%261',
  ]);
  expect(addressOfFound(found('order'), new Set(['/orderListDetailReal']))).toBe('/orderListDetailReal?id=7');
  expect(addressOfFound(found('station'), new Set(['/deviceList']))).toBe('/deviceList?number=A%261');
});

test('a record without a screen to show it leads nowhere', () => {
  expect(foundKinds.map((kind) => addressOfFound(found(kind), new Set()))).toEqual([null, null, null, null]);
});
