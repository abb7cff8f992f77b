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
    site: '/plotDetail?id=7',
    card: '/cardList?number=A%261',
    customer: '/registerUserDetail?id=7',
    vehicle: '/vehicleList?vin=A%261',
    agent: '/childrenAccount?id=7',
    group: '/groupList?name=A%261',
    group_member: '/userList?phone=A%261',
    divider: '/accountChildren/detail?id=7',
    invoice: '/invoiceList?number=A%261&do=open&of=7',
    recharge: '/chongzhiRecods?view=recharges&number=A%261',
    order_refund: '/orderListRefund?number=A%261',
    recharge_refund: '/chongzhiRecods?view=recharges&number=A%261',
    withdrawal: '/refund?number=A%261',
    agent_withdrawal: '/tixianRecods?number=A%261',
    channel_payment: '/chongzhiRecods?view=channels&number=A%261',
    transfer: '/transferList?number=A%261',
    gift: '/giftList?number=A%261',
    partner: '/supOperatorDetail?id=7',
    partner_charge: '/hlhtOrderList?sequence=A%261',
    roaming_charge: '/hlhtOrderList?view=roaming&sequence=A%261',
    tariff: '/rules/detail?id=7',
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
  expect([leadsTo('group_member'), leadsTo('user')]).toEqual(['/userList?phone=5678', '/user?text=5678']);
});

test('a found record without a screen leads nowhere', () => {
  expect(foundKinds.map((kind) => addressOf(kind, only()))).toEqual(foundKinds.map(() => null));
});

test('all matches of a text lead to the filtered list, if the list may be opened', () => {
  const total = { list: 'deviceList', filter: 'name', total: 9, totalIsAtLeast: false } as const;
  expect(listOfFound(total, '银泰', only('deviceList'))).toBe(`/deviceList?name=${encodeURIComponent('银泰')}`);
  expect(listOfFound(total, '银泰', only('portList'))).toBeNull();
});
