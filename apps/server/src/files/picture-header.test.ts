import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimPng, drawJpeg, drawPng, drawWebp } from '../content/files/test-upload.ts';
import { readPictureHeader } from './picture-header.ts';

const draws = [
  ['image/png', drawPng],
  ['image/jpeg', drawJpeg],
  ['image/webp', drawWebp],
] as const;

describe('what a picture says of itself', () => {
  test.each(draws)('the header of %s gives its type and size, whatever follows it', async (type, draw) => {
    for (const [widthPx, heightPx] of [
      [1, 1],
      [640, 3],
      [33, 257],
    ] as const) {
      const picture = await draw(widthPx, heightPx);
      expect(readPictureHeader(picture)).toEqual({ type, widthPx, heightPx });
      expect(readPictureHeader(Buffer.concat([picture, Buffer.from('<html>')]))).toEqual({ type, widthPx, heightPx });
    }
  });

  test('a claimed size is read without decoding anything', () => {
    expect(readPictureHeader(claimPng(50_000, 40_000))).toEqual({
      type: 'image/png',
      widthPx: 50_000,
      heightPx: 40_000,
    });
    expect(readPictureHeader(claimPng(0, 40_000))).toBeNull();
  });

  test('the frames of an animation count, however small a size the whole claims', () => {
    const webp = (chunks: Buffer[]) => {
      const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
      const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
      head.writeUInt32LE(body.length, 4);
      return Buffer.concat([head, body]);
    };
    const chunk = (kind: string, data: Buffer) => {
      const head = Buffer.alloc(8);
      head.write(kind, 'latin1');
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data]);
    };
    const canvas = Buffer.alloc(10);
    const frame = Buffer.alloc(16);
    frame.writeUIntLE(16_000_000, 6, 3);
    frame.writeUIntLE(9, 9, 3);
    expect(readPictureHeader(webp([chunk('VP8X', canvas), chunk('ANMF', frame)]))).toEqual({
      type: 'image/webp',
      widthPx: 16_000_001,
      heightPx: 10,
    });
  });

  test.each(draws.filter(([type]) => type !== 'image/png'))('%s truncated anywhere is refused', async (_type, draw) => {
    const picture = await draw(24, 16);
    for (let length = 0; length < picture.length; length += 1) {
      expect(readPictureHeader(picture.subarray(0, length))).toBeNull();
    }
  });

  test('arbitrary bytes are read quickly and never beyond their end', async () => {
    const pictures = await Promise.all(draws.map(([, draw]) => draw(16, 16)));
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 6 }),
        fc.nat(2_000),
        (picture, changes, length) => {
          const broken = Buffer.from(picture.subarray(0, length));
          for (const [at, value] of changes) if (at < broken.length) broken[at] = value;
          const header = readPictureHeader(broken);
          expect(header === null || (header.widthPx > 0 && header.heightPx > 0)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
