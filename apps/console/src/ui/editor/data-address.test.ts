import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOfDataAddress } from './data-address.ts';

test('the bytes of a pasted picture become a file of its type', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      const address = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
      const file = pictureOfDataAddress(address, 'pasted');
      expect([file?.name, file?.type]).toEqual(['pasted.png', 'image/png']);
      expect([...new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([...bytes]);
    }),
    { numRuns: 50 },
  );
});

test.each([
  'data:text/html;base64,PGI+',
  'data:image/svg+xml,<svg/>',
  'data:image/png;base64,===',
  'https://a.cn/b.png',
  'data:,',
  '',
])('%s is not a picture to upload', (address) => expect(pictureOfDataAddress(address, 'pasted')).toBeNull());
