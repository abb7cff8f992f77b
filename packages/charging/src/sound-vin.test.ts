import { expect, test } from 'vitest';
import { soundVin } from './sound-vin.ts';

test.each([
  [' lsvam4187c2184841 ', 'LSVAM4187C2184841'],
  ['AB123', 'AB123'],
  ['AB12', null],
  ['LSVAM4187C21848412', null],
  ['LSVAM-187C2184841', null],
  ['', null],
  [undefined, null],
  [12_345, null],
])('the reported vehicle number %j is read as %s', (told, vin) => {
  expect(soundVin(told)).toBe(vin);
});
