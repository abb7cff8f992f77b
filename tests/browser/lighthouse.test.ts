import { type Product, startProduct } from '@voltdeck/journeys/product';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lighthouseScores } from './lighthouse-scores.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct((await freshDatabase()).url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

// How fast it is depends on what else the machine does: `npm run bench -- login-page` measures that.
test('Lighthouse gives the sign-in page 100 for accessibility on a phone', async () => {
  const { accessibility, short } = await lighthouseScores(`${product.url}/login`);
  expect(accessibility, short.join('\n')).toBe(100);
});
