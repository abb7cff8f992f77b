import { expect, test } from 'vitest';
import { addressOf } from './address.ts';
import { fileNameIn } from './call.ts';
import { tokenIn } from './token.ts';

test('an address fills its parameters, joins lists with commas and leaves out empty values', () => {
  expect(addressOf('/orders/{id}/stops', { id: 7 })).toBe('/api/orders/7/stops');
  expect(addressOf('/a/{name}', { name: 'x/y?z' })).toBe('/api/a/x%2Fy%3Fz');
  expect(
    addressOf(
      '/orders',
      {},
      { state: ['placed', 'charging'], abnormal: false, page: 1, number: '', from: undefined, to: null, none: [] },
    ),
  ).toBe('/api/orders?state=placed%2Ccharging&abnormal=false&page=1');
});

test('a missing parameter throws', () => {
  expect(() => addressOf('/orders/{id}')).toThrow('id');
});

test('the file name comes from the header, preferring the extended form', () => {
  expect(fileNameIn('attachment; filename="orders.xlsx"')).toBe('orders.xlsx');
  expect(fileNameIn(`attachment; filename="o.xlsx"; filename*=UTF-8''%E8%AE%A2%E5%8D%95.xlsx`)).toBe('订单.xlsx');
  expect(fileNameIn(null)).toBeNull();
});

test('the token is found among other cookies', () => {
  expect(tokenIn('a=1; zhny_token=abc%3D; sidebarStatus=1')).toBe('abc=');
  expect(tokenIn('zhny_token=')).toBeNull();
  expect(tokenIn('xzhny_token=abc')).toBeNull();
  expect(tokenIn('zhny_token=%')).toBeNull();
  expect(tokenIn('')).toBeNull();
});
