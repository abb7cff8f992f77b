import { createAdvert } from '@voltdeck/contract/adverts';
import { type BodyField, bodyFields } from '@voltdeck/contract/body-fields';
import { refundOrder, settleOrder } from '@voltdeck/contract/orders';
import type { Route } from '@voltdeck/contract/route';
import { createSite } from '@voltdeck/contract/sites';
import { createStation } from '@voltdeck/contract/stations';
import { createUser } from '@voltdeck/contract/users';
import { expect, test } from 'vitest';
import { kindOf, sentValue, unitOf } from './field-kinds.ts';

function fieldOf(route: Pick<Route, 'body'>, name: string): BodyField {
  const field = route.body === undefined ? undefined : bodyFields(route.body).get(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
}

test.each([
  [createSite, 'name', 'text'],
  [createSite, 'address', 'long-text'],
  [createSite, 'regionCode', 'region'],
  [createSite, 'longitude', 'degrees'],
  [createSite, 'parkingFee', 'select'],
  [createSite, 'level', 'radio'],
  [createSite, 'facilities', 'texts'],
  [createSite, 'invoiceAvailable', 'switch'],
  [createSite, 'agentId', 'record'],
  [createStation, 'connectorCount', 'number'],
  [createStation, 'expiresOn', 'day'],
  [createStation, 'password', 'password'],
  [createStation, 'signInNetworks', 'texts'],
  [createUser, 'phone', 'phone'],
  [createUser, 'password', 'password'],
  [createAdvert, 'link', 'link'],
  [refundOrder, 'amountFen', 'money'],
  [settleOrder, 'energyWh', 'energy'],
  [settleOrder, 'endedAt', 'instant'],
] as const)("a field's kind follows from its schema and the unit in its name: %#", (route, name, kind) => {
  expect(kindOf(name, fieldOf(route, name))).toBe(kind);
});

test('a number is shown with the unit at the end of its name', () => {
  expect(
    ['maxPowerKw', 'voltageV', 'currentA', 'maxPowerPercent', 'connectorCount'].map((name) => unitOf(name, 'number')),
  ).toEqual(['kW', 'V', 'A', '%', null]);
});

test('texts are trimmed before sending, passwords are not', () => {
  expect(sentValue(fieldOf(createSite, 'name'), 'text', ' Lakeside ')).toBe('Lakeside');
  expect(sentValue(fieldOf(createUser, 'password'), 'password', ' wide river ')).toBe(' wide river ');
});

test('an emptied field is cleared if the server allows that', () => {
  expect(sentValue(fieldOf(createUser, 'phone'), 'phone', '  ')).toBeNull();
  expect(sentValue(fieldOf(createAdvert, 'link'), 'link', '')).toBe('');
  expect(sentValue(fieldOf(createStation, 'voltageV'), 'number', null)).toBeUndefined();
});

test('a picture is sent as its number, several as their keys in order, with what each shows', () => {
  const pictures = [
    { id: 4 as never, key: 'b', url: '', name: 'b' },
    { id: 3 as never, key: 'a', url: '', name: 'a' },
  ];
  expect(sentValue(fieldOf(createAdvert, 'pictureFileId'), 'picture', pictures.slice(0, 1))).toBe(4);
  expect(sentValue(fieldOf(createAdvert, 'pictureFileId'), 'picture', [])).toBeUndefined();
  expect(sentValue(fieldOf(createSite, 'facilities'), 'pictures', pictures)).toEqual(['b', 'a']);
  const slotted = pictures.map((picture) => ({ ...picture, slot: 'sign' }));
  expect(sentValue(fieldOf(createSite, 'pictures'), 'pictures', slotted)).toEqual([
    { key: 'b', slot: 'sign' },
    { key: 'a', slot: 'sign' },
  ]);
});
