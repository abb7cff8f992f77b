import type { ScreenQuery } from '@voltdeck/contract/screens';
import type { OrderId, SiteId } from '@voltdeck/units/id';
import { expect, expectTypeOf, test } from 'vitest';
import { type QueryArgument, to } from './to.ts';

test('the address of a screen is its path with the given parts of its query', () => {
  expect(to('home')).toBe('/home');
  expect(to('rulesList')).toBe('/rules/list');
  expect(to('orderListDetailReal', { id: 7 as OrderId })).toBe('/orderListDetailReal?id=7');
  expect(to('deviceList', { siteId: 3 as SiteId, state: ['free', 'fault'], name: undefined })).toBe(
    '/deviceList?siteId=3&state=free%2Cfault',
  );
  expect(to('user', { userName: 'Li & Co' })).toBe('/user?userName=Li+%26+Co');
});

test('a link requires the query that its screen has', () => {
  expectTypeOf<QueryArgument<'orderListDetailReal'>>().toEqualTypeOf<[query: { id: OrderId }]>();
  expectTypeOf<QueryArgument<'home'>>().toEqualTypeOf<[query?: { site?: number; region?: string }]>();
  expectTypeOf<ScreenQuery<'deviceList'>['siteId']>().toEqualTypeOf<SiteId | undefined>();
  expectTypeOf<ScreenQuery<'deviceList'>>().not.toHaveProperty('colour');
});
