import { expect, test } from 'vitest';
import { isPlate, tidyPlate } from './plate.ts';

test.each([
  ['浙a·12345', '浙A12345'],
  ['粤Ｂ　ｄ８８８８８', '粤BD88888'],
  [' 京A-F0236 ', '京AF0236'],
  ['沪A•DA1234', '沪ADA1234'],
])('%s is tidied to %s', (typed, plate) => {
  expect(tidyPlate(typed)).toBe(plate);
});

test.each([
  '浙A12345',
  '粤BD88888',
  '粤B12345D',
  '京AF0236',
  '京A0001学',
  '粤Z1234港',
  '新A1234挂',
  '使014578',
  '川A12345',
])('a plate may read %s', (plate) => {
  expect(isPlate(plate)).toBe(true);
});

test.each([
  ['no province', 'AA12345'],
  ['a province that does not exist', '囧A12345'],
  ['six characters', '浙A1234'],
  ['nine characters', '浙AD123456'],
  ['the letter I', '浙AI2345'],
  ['the letter O', '浙AO2345'],
  ['an office that is a digit', '浙112345'],
  ['a new-energy plate without its letter', '浙A123456'],
  ['new-energy letters beyond K', '浙AL12345'],
  ['nothing', ''],
])('a plate is refused for %s', (_why, plate) => {
  expect(isPlate(plate)).toBe(false);
});
