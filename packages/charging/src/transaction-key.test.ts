import { instant } from '@voltdeck/units/instant';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectorOfTransactionKey, transactionKey, transactionKeysPerSecondMax } from './transaction-key.ts';

const at = instant(Date.parse('2026-11-21T15:04:05.678+08:00'));
const charge = { stationNumber: '32010600019236', connectorNumber: 1, at, sequence: 7 };

test('is station, gun port, time in Shanghai and counter in 32 digits (section 2.6)', () => {
  expect(transactionKey(charge)).toBe('3201060001923601' + '261121150405' + '0007');
});

test('keeps leading zeros of the station and counts in four digits', () => {
  const key = transactionKey({ ...charge, stationNumber: '00000000000001', connectorNumber: 12, sequence: 123_456 });
  expect(key).toBe('0000000000000112' + '261121150405' + '3456');
});

test('two sequence numbers of one second give two names, and each names its gun port', () => {
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

test('a text that is no such name speaks of no gun port', () => {
  for (const text of ['', '0'.repeat(32), '1'.repeat(31), `${'1'.repeat(31)}A`]) {
    expect(connectorOfTransactionKey(text)).toBeNull();
  }
});

test('a station that cannot be named is a bug, not a name', () => {
  expect(() => transactionKey({ ...charge, stationNumber: 'S1' })).toThrow(RangeError);
  expect(() => transactionKey({ ...charge, connectorNumber: 100 })).toThrow(RangeError);
});
