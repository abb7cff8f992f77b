import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bitwiseCrc } from './bitwise-crc.ts';
import { crc16, RangeCrc } from './crc.ts';

describe('CRC-16/MODBUS (section 2.2)', () => {
  test('the CRC of "123456789" is 0x4B37', () => {
    const bytes = new TextEncoder().encode('123456789');
    expect(crc16(bytes, 0, bytes.length)).toBe(0x4b37);
    expect(bitwiseCrc(bytes)).toBe(0x4b37);
  });

  test('the CRC of any bytes agrees with a calculation bit by bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(50), (bytes, from) => {
        expect(crc16(bytes, from, bytes.length)).toBe(bitwiseCrc(bytes.subarray(from)));
      }),
    );
  });

  test('the CRC of any range agrees with one pass over all bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 600 }),
        fc.nat(599),
        fc.nat(599),
        fc.nat(255),
        (bytes, start, later, length) => {
          const from = Math.min(start, bytes.length);
          const rangeFrom = Math.min(from + later, bytes.length);
          const rangeTo = Math.min(rangeFrom + length, bytes.length);
          const ranges = new RangeCrc(bytes, from, bytes.length);
          expect(ranges.of(rangeFrom, rangeTo)).toBe(crc16(bytes, rangeFrom, rangeTo));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
