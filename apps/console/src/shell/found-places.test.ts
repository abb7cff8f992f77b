import type { ScreenCode } from '@voltdeck/contract/screens';
import { foundKinds } from '@voltdeck/contract/search';
import { expect, test } from 'vitest';
import { listOfFound, placeOfFound } from './found-places.ts';

const found = { id: 7, number: 'A&1', title: 'A&1', detail: '' };

const only =
  (...screens: readonly ScreenCode[]) =>
  (screen: ScreenCode) =>
    screens.includes(screen);
const addressOf = (kind: (typeof foundKinds)[number], mayGo: (screen: ScreenCode) => boolean) =>
  placeOfFound(kind, found, mayGo)?.address ?? null;

test('a found record opens on the best screen for it, with the filter set', () => {
  expect(Object.fromEntries(foundKinds.map((kind) => [kind, addressOf(kind, () => true)]))).toEqual({
    order: '/orderListDetailHistory?id=7',
    station: '/deviceDetail?id=7',
    connector: '/portList?stationNumber=A%261',
    site: '/home?site=7',
    card: '/cardList?number=A%261',
    customer: '/registerUser?phone=A%261',
    agent: '/operatorList?realName=A%261',
    tariff: '/rules/list?name=A%261',
    user: '/user?text=A%261',
    position: '/role?name=A%261',
    article: '/newsList?title=A%261',
    config: '/configList?key=A%261',
  });
});

test('a found record whose own screen cannot be opened leads to what belongs to it', () => {
  expect(addressOf('order', only('orderListDetailReal'))).toBe('/orderListDetailReal?id=7');
  expect(addressOf('station', only('deviceList'))).toBe('/deviceList?number=A%261');
  expect(addressOf('site', only('deviceList'))).toBe('/deviceList?siteId=7');
  expect(addressOf('card', only('orderListHistory'))).toBe('/orderListHistory?cardId=7');
  expect(addressOf('customer', only('orderListHistory'))).toBe('/orderListHistory?customerId=7');
  expect(addressOf('agent', only('deviceList'))).toBe('/deviceList?agentId=7');
});

test('a masked number is found by its visible digits', () => {
  const masked = { ...found, number: '138****5678' };
  const leadsTo = (kind: (typeof foundKinds)[number]) => placeOfFound(kind, masked, () => true)?.address;
  expect([leadsTo('customer'), leadsTo('user')]).toEqual(['/registerUser?phone=5678', '/user?text=5678']);
});

test('a found record without a screen leads nowhere', () => {
  expect(foundKinds.map((kind) => addressOf(kind, only()))).toEqual(foundKinds.map(() => null));
});

test('all matches of a text lead to the filtered list, if the list may be opened', () => {
  const total = { list: 'deviceList', filter: 'name', total: 9, totalIsAtLeast: false } as const;
  expect(listOfFound(total, '银泰', only('deviceList'))).toBe(`/deviceList?name=${encodeURIComponent('银泰')}`);
  expect(listOfFound(total, '银泰', only('portList'))).toBeNull();
});
