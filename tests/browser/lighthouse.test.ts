import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { lighthouseScores } from './lighthouse-scores.ts';

let product: HostedProduct;
beforeAll(async () => {
  product = await hostedProduct((await freshDatabase()).url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

// Speed depends on what else the machine does: `npm run bench -- login-page` measures it.
test('Lighthouse gives the sign-in page 100 for accessibility on a phone', async () => {
  const { accessibility, short } = await lighthouseScores(`${product.url}/login`);
  expect(accessibility, short.join('\n')).toBe(100);
});
