import { expect, test } from 'vitest';
import { stationNumberField } from './fields.ts';
import { identityNumbers } from './identity-numbers.ts';

function firstAndLast(start: string, count: number, protocol: 'ocpp1.6' | 'ykc') {
  const found = identityNumbers(start, count, protocol);
  return 'fault' in found ? found.fault : [found.numbers(0), found.numbers(count - 1)];
}

test('the digits at the end of a start number are counted up and keep their zeros', () => {
  expect(firstAndLast('VD-A-0098', 5, 'ocpp1.6')).toEqual(['VD-A-0098', 'VD-A-0102']);
  expect(firstAndLast('32010600019236', 10_000, 'ykc')).toEqual(['32010600019236', '32010600029235']);
  expect(firstAndLast('99999999999999', 1, 'ykc')).toEqual(['99999999999999', '99999999999999']);
});

test('behind a prefix the count begins at 1, with digits enough for the batch', () => {
  expect(firstAndLast('VD-', 12, 'ocpp1.6')).toEqual(['VD-0001', 'VD-0012']);
  expect(firstAndLast('VD-', 10_000, 'ocpp1.6')).toEqual(['VD-00001', 'VD-10000']);
  expect(firstAndLast('320106', 100, 'ykc')).toEqual(['32010600000001', '32010600000100']);
});

test('a batch whose numbers would get longer, or do not fit the protocol, is refused', () => {
  expect(firstAndLast('VD-98', 3, 'ocpp1.6')).toBe('identity_digits');
  expect(firstAndLast('99999999999999', 2, 'ykc')).toBe('identity_digits');
  expect(firstAndLast('3201060001', 10_000, 'ykc')).toBe('identity_digits');
  expect(firstAndLast('3201060001923A', 1, 'ykc')).toBe('identity_exact_digits');
  expect(firstAndLast('320106000192361', 1, 'ykc')).toBe('identity_exact_digits');
  expect(firstAndLast(`${'V'.repeat(45)}-`, 1, 'ocpp1.6')).toBe('identity_long');
});

test('every number of a batch is another one and a valid station number', () => {
  for (const [start, protocol] of [
    ['9007199254740993', 'ocpp1.6'],
    ['VD_1.000', 'ocpp1.6'],
    ['10', 'ykc'],
  ] as const) {
    const count = start.endsWith('000') ? 1_000 : 10_000;
    const found = identityNumbers(start, count, protocol);
    if ('fault' in found) throw new Error(found.fault);
    const numbers = Array.from({ length: count }, (_, index) => found.numbers(index));
    expect(new Set(numbers).size).toBe(count);
    for (const number of numbers) expect(stationNumberField.safeParse(number).success, number).toBe(true);
  }
});
