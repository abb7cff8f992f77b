import { fileURLToPath } from 'node:url';
import { type Product, startProduct } from '@voltdeck/journeys/product';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct((await freshDatabase()).url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** How many components of each part of the frame may render on navigation; a menu of twenty entries has hundreds. */
const renderedMax = {
  /** The mark moves from one entry to another. */
  sidebar: 8,
  /** The crumbs. */
  'top bar': 6,
  /** The router, the address guard, the window's title and the progress bar. */
  frame: 24,
};

test('going back to a kept tab renders only the tab bar, the crumbs and the menu mark', async () => {
  const opened = await consolePage(product, {
    language: 'zh-CN',
    token: await newToken(product.url),
    fetchesAhead: true,
  });
  const { page, context } = opened;
  await context.addInitScript({ path: fileURLToPath(new URL('./rendered-parts.js', import.meta.url)) });
  await page.goto(`${product.url}/deviceList`);
  const shown = (title: string) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  const tabs = page.getByRole('navigation', { name: '已打开的页面' });
  await shown('充电桩');
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '系统用户' }).click();
  await shown('系统用户');
  // By then all pages are preloaded, and the page that was left is idle.
  for (const title of ['充电桩', '系统用户']) {
    await tabs.getByRole('link', { name: title }).click();
    await shown(title);
    await settled(opened);
  }
  const rounds: Record<string, number>[] = [];
  for (const _ of [1, 2, 3]) {
    await page.evaluate('renderedParts.begin()');
    await tabs.getByRole('link', { name: '充电桩' }).click();
    await shown('充电桩');
    await settled(opened);
    rounds.push(await page.evaluate<Record<string, number>>('renderedParts.end()'));
    await tabs.getByRole('link', { name: '系统用户' }).click();
    await shown('系统用户');
    await settled(opened);
  }
  // Checks that the counter works at all.
  expect(rounds[0]?.['tab bar']).toBeGreaterThan(10);
  // An answer that happens to come in between renders its own part, so the fewest of the rounds counts.
  const fewest = (part: string) => Math.min(...rounds.map((rendered) => rendered[part] ?? 0));
  const tooMany = Object.entries(renderedMax).filter(([part, max]) => fewest(part) > max);
  expect(tooMany, JSON.stringify(rounds)).toEqual([]);
  await opened.close();
});
