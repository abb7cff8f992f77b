import { idParameter } from '@voltdeck/contract/fields';
import { expect, test } from 'vitest';
import { givenValues, type Taking } from './given-values.ts';

const takes: Taking<'deviceList', 'add'> = { siteId: idParameter<'site'>(), cardTariffId: idParameter<'tariff'>() };

test('a form starts with the values of a link that it takes, and ignores everything else in an address', () => {
  expect(givenValues(takes, { siteId: '3', cardTariffId: '7' })).toEqual({ siteId: 3, cardTariffId: 7 });
  expect(givenValues(takes, { siteId: '3', name: 'call 13800000000', number: 'X' })).toEqual({ siteId: 3 });
  expect(givenValues(takes, { siteId: 'three', cardTariffId: '-1' })).toEqual({});
  expect(givenValues(takes, {})).toEqual({});
});
