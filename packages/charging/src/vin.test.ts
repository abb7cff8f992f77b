import { describe, expect, test } from 'vitest';
import { hasCheckDigit, isVin, tidyVin, vinSpellings } from './vin.ts';

test('a VIN is tidied to capitals without spaces and full-width letters', () => {
  expect(tidyVin(' lsvam 4187c2184847 ')).toBe('LSVAM4187C2184847');
  expect(tidyVin('ＬＳＶＡＭ４１８７Ｃ２１８４８４７')).toBe('LSVAM4187C2184847');
});

test.each([
  ['LSVAM4187C2184847', true],
  ['LSVAM4187C218484', false],
  ['LSVAM4187C21848470', false],
  ['LSVAM4187C218484O', false],
  ['LSVAM4187C218484I', false],
  ['LSVAM4187C218484Q', false],
  ['', false],
])('%s is a VIN: %s', (vin, expected) => {
  expect(isVin(vin)).toBe(expected);
});

test.each([
  ['1M8GDM9AXKP042788', true],
  ['11111111111111111', true],
  ['1M8GDM9A1KP042788', false],
  ['LSVAM4187C2184847', true],
  ['LSVAM4187C218484', false],
])('%s carries the right check digit: %s', (vin, expected) => {
  expect(hasCheckDigit(vin)).toBe(expected);
});

describe('the spellings of a reported VIN', () => {
  test('a VIN is looked up as reported and last character first', () => {
    expect(vinSpellings('lsvam4187c2184847\0')).toEqual(['LSVAM4187C2184847', '7484812C7814MAVSL']);
  });

  test.each([
    ['nothing', ''],
    ['zeros', '0'.repeat(17)],
    ['bytes FF', '\ufffd'.repeat(17)],
    ['a short text', 'LSVAM4187C2'],
    ['a letter that no VIN has', 'LSVAM4187C218484O'],
  ])('%s is no VIN', (_what, told) => {
    expect(vinSpellings(told)).toEqual([]);
  });
});
