import { instant } from '@voltdeck/units/instant';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectorOfTransactionKey, transactionKey, transactionKeysPerSecondMax } from './transaction-key.ts';

const at = instant(Date.parse('2026-11-21T15:04:05.678+08:00'));
const charge = { stationNumber: '32010600019236', connectorNumber: 1, at, sequence: 7 };

test('a transaction key is station, gun port, time in Shanghai and counter in 32 digits (section 2.6)', () => {
  expect(transactionKey(charge)).toBe('3201060001923601' + '261121150405' + '0007');
});

test('a transaction key keeps leading zeros of the station and counts in four digits', () => {
  const key = transactionKey({ ...charge, stationNumber: '00000000000001', connectorNumber: 12, sequence: 123_456 });
  expect(key).toBe('0000000000000112' + '261121150405' + '3456');
});

test('two sequence numbers of one second give two transaction keys, and each names its gun port', () => {
  const pair = fc.record({
    connectorNumber: fc.integer({ min: 1, max: 99 }),
    sequence: fc.integer({ min: 0, max: 1e9 }),
    apart: fc.integer({ min: 1, max: transactionKeysPerSecondMax - 1 }),
  });
  fc.assert(
    fc.property(pair, ({ connectorNumber, sequence, apart }) => {
      const one = transactionKey({ ...charge, connectorNumber, sequence });
      const two = transactionKey({ ...charge, connectorNumber, sequence: sequence + apart });
      expect(one).not.toBe(two);
      expect(one).toMatch(/^\d{32}$/);
      expect(connectorOfTransactionKey(one)).toBe(connectorNumber);
    }),
  );
});

test('an invalid transaction key names no gun port', () => {
  for (const text of ['', '0'.repeat(32), '1'.repeat(31), '1'.repeat(33), `${'1'.repeat(31)}A`, `A${'1'.repeat(32)}`]) {
    expect(connectorOfTransactionKey(text)).toBeNull();
  }
});

test.each(['', 'S1', '3201060001923', '320106000192366', 'A32010600019236', '32010600019236A'])(
  'a station that has no 14 digits cannot be named, which is a bug: %s',
  (stationNumber) => {
    expect(() => transactionKey({ ...charge, stationNumber })).toThrow(RangeError);
  },
);

test('a transaction key has a gun port from 1 to 99, and any other is a bug', () => {
  for (const connectorNumber of [1, 99]) {
    expect(connectorOfTransactionKey(transactionKey({ ...charge, connectorNumber }))).toBe(connectorNumber);
  }
  for (const connectorNumber of [-1, 0, 1.5, 100, Number.NaN]) {
    expect(() => transactionKey({ ...charge, connectorNumber })).toThrow(RangeError);
  }
});
