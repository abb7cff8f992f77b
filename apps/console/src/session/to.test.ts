import type { OpenedAct, Opening, ScreenQuery } from '@voltdeck/contract/screens';
import type { OrderId, SiteId, StationId } from '@voltdeck/units/id';
import { expect, expectTypeOf, test } from 'vitest';
import { type QueryArgument, to, toOpen } from './to.ts';

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
  expectTypeOf<QueryArgument<'home'>>().toEqualTypeOf<
    [query?: { site?: number; region?: string; steps?: true; view?: 'tree' }]
  >();
  expectTypeOf<ScreenQuery<'deviceList'>['siteId']>().toEqualTypeOf<SiteId | undefined>();
  expectTypeOf<ScreenQuery<'deviceList'>>().not.toHaveProperty('colour');
});

test('a link opens a form of a screen, with a record or with the fields that are known', () => {
  expect(toOpen('deviceList', 'connection', { of: 5 as StationId })).toBe('/deviceList?do=connection&of=5');
  expect(toOpen('deviceList', 'add', { siteId: 3 as SiteId, cardTariffId: undefined })).toBe(
    '/deviceList?do=add&with.siteId=3',
  );
  expect(toOpen('cardList', 'add', {})).toBe('/cardList?do=add');
  expect(toOpen('deviceList', 'commandAll', { kind: 'set-tariff' }, { tariffState: ['differs'] })).toBe(
    '/deviceList?tariffState=differs&do=commandAll&with.kind=set-tariff',
  );
});

test('a link can open only what its screen names, with the values that it takes', () => {
  expectTypeOf<OpenedAct<'deviceList'>>().toEqualTypeOf<'add' | 'edit' | 'connection' | 'commandAll'>();
  expectTypeOf<OpenedAct<'home'>>().toEqualTypeOf<never>();
  expectTypeOf<Opening<'deviceList', 'connection'>>().toEqualTypeOf<{ of: StationId }>();
  expectTypeOf<Opening<'deviceList', 'add'>>().not.toHaveProperty('name');
});
