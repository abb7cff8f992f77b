import { expect, test } from 'vitest';
import { recordChoices } from '../list/record-choices.ts';
import { recordChoicesOf } from './record-choices-of.ts';

test('a field is filled from the list of records that its name ends with', () => {
  expect(recordChoicesOf('siteId')).toBe(recordChoices.site);
  expect(recordChoicesOf('cardTariffId')).toBe(recordChoices.tariff);
  expect(recordChoicesOf('customerId')).toBe(recordChoices.customer);
  expect(recordChoicesOf('cardId')).toBe(recordChoices.card);
});

test('a field of an unknown kind of record is refused instead of shown without a control', () => {
  expect(() => recordChoicesOf('invoiceId')).toThrow('no records to choose from for invoiceId');
});
