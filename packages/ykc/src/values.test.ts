import { instant, parseIso } from '@voltdeck/units/instant';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, hexOf7, hexOf8, toHex } from './hex.ts';
import {
  readAscii,
  readBytes,
  readGun,
  readTime,
  readU16,
  readU32,
  readUint,
  reversed,
  writeAscii,
  writeGun,
  writeTime,
  writeUint,
} from './values.ts';

const bytesOf = (hex: string) => fromHex(hex) ?? new Uint8Array();

describe('CP56Time2a (section 2.4)', () => {
  const example = parseIso('2024-01-02T03:04:05.678+08:00');

  test('the CP56Time2a 2024-01-02 03:04:05.678 in Shanghai is 2E 16 04 03 02 01 18', () => {
    const bytes = new Uint8Array(9);
    expect(writeTime(example, bytes, 1)).toBe(true);
    expect(toHex(bytes)).toBe('002E16040302011800');
    expect(readTime(bytes, 1)).toBe(example);
  });

  test('a CP56Time2a’s reserved bits, day of the week and summer time are masked', () => {
    expect(readTime(bytesOf('2E164463A2F198'), 0)).toBe(example);
  });

  test.each([
    ['marked invalid', '2E168403020118'],
    ['all zeros', '00000000000000'],
    ['all ones', 'FFFFFFFFFFFFFF'],
    ['a minute of 60,000 ms', '60EA0403020118'],
    ['minute 60', '2E163C03020118'],
    ['hour 24', '2E160418020118'],
    ['day 0', '2E160403000118'],
    ['month 0', '2E160403020018'],
    ['month 13', '2E160403020D18'],
    ['31 April', '2E1604031F0418'],
    ['29 February 2023', '2E1604031D0217'],
    ['29 February 2100', '2E1604031D0264'],
  ])('%s is not a CP56Time2a', (_what, hex) => {
    expect(readTime(bytesOf(hex), 0)).toBeNull();
  });

  test('29 February of a leap year is a CP56Time2a', () => {
    expect(readTime(bytesOf('0000000C1D0218'), 0)).toBe(parseIso('2024-02-29T12:00:00+08:00'));
  });

  test('every millisecond of 2000 to 2127 reads back as written', () => {
    const from = Date.parse('2000-01-01T00:00:00+08:00');
    const to = Date.parse('2128-01-01T00:00:00+08:00') - 1;
    const bytes = new Uint8Array(7);
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (at) => {
        expect(writeTime(instant(at), bytes, 0)).toBe(true);
        expect(readTime(bytes, 0)).toBe(at);
      }),
    );
    expect(writeTime(instant(from - 1), bytes, 0)).toBe(false);
    expect(writeTime(instant(to + 1), bytes, 0)).toBe(false);
  });

  test('a missing time is written as zeros', () => {
    const bytes = new Uint8Array(7).fill(1);
    expect(writeTime(null, bytes, 0)).toBe(true);
    expect(toHex(bytes)).toBe('00000000000000');
  });
});

describe('numbers (section 2.3)', () => {
  test.each([1, 2, 3, 4, 5])('numbers of %i bytes are little-endian and bounded', (length) => {
    const bytes = new Uint8Array(7);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 256 ** length - 1 }), (value) => {
        expect(writeUint(value, bytes, 1, length)).toBe(true);
        expect(bytes[1]).toBe(value % 256);
        expect(readUint(bytes, 1, length)).toBe(value);
        if (length === 2) expect(readU16(bytes, 1)).toBe(value);
        if (length === 4) expect(readU32(bytes, 1)).toBe(value);
      }),
    );
    for (const wrong of [-1, 256 ** length, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(writeUint(wrong, bytes, 1, length)).toBe(false);
    }
  });

  test('a gun number is one BCD byte', () => {
    const bytes = new Uint8Array(1);
    for (let gun = 0; gun <= 99; gun += 1) {
      expect(writeGun(gun, bytes, 0)).toBe(true);
      expect(toHex(bytes)).toBe(String(gun).padStart(2, '0'));
      expect(readGun(bytes, 0)).toBe(gun);
    }
    expect([100, -1, 1.5].map((gun) => writeGun(gun, bytes, 0))).toEqual([false, false, false]);
  });

  test('a gun number that the pile wrote in binary is understood', () => {
    expect(readGun(Uint8Array.of(0x0a), 0)).toBe(10);
  });

  test('bytes are read one number each', () => {
    expect(readBytes(Uint8Array.of(9, 0, 1, 255, 9), 1, 3)).toEqual([0, 1, 255]);
  });
});

describe('text', () => {
  test('text ends at the first zero and shows non-ASCII characters as such', () => {
    expect(readAscii(bytesOf('5631002E35'), 0, 5)).toBe('V1');
    expect(readAscii(bytesOf('56FF0A7F31'), 0, 5)).toBe('V\ufffd\ufffd\ufffd1');
  });

  test('text is padded with zeros and refused when it does not fit', () => {
    const bytes = new Uint8Array(6).fill(0xee);
    expect(writeAscii('V1.5', bytes, 0, 5)).toBe(true);
    expect(toHex(bytes)).toBe('56312E3500EE');
    expect(['V1.5.0', 'é', '\n', '\0'].map((text) => writeAscii(text, bytes, 0, 5))).toEqual(Array(4).fill(false));
  });

  test('text can be reversed', () => {
    expect(reversed('LSVAM4187C2184847')).toBe('7484812C7814MAVSL');
  });
});

describe('hex text', () => {
  test('hex text reads back as written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const hex = toHex(bytes);
        expect(hex).toBe(Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''));
        expect(fromHex(hex)).toEqual(bytes);
        expect(fromHex(hex.toLowerCase())).toEqual(bytes);
      }),
    );
  });

  test('hex text of 7 and of 8 bytes is the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
        expect(hexOf7(bytes, 2)).toBe(toHex(bytes, 2, 9));
        expect(hexOf8(bytes, 1)).toBe(toHex(bytes, 1, 5) + toHex(bytes, 5, 9));
      }),
    );
  });

  test.each(['0', '0G', 'é0', ' 00', '0x'])('%j is not hex text', (text) => {
    expect(fromHex(text)).toBeNull();
  });
});
