import type { Bench } from '@voltdeck/simulator/tcec/bench';
import { type ServedPage, servePage } from '@voltdeck/simulator/tcec/serve-page';
import { openBothBenches } from '@voltdeck/simulator/tcec/test-benches';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

let benches: { operator: Bench; demand: Bench; close(): Promise<void> };
let served: ServedPage;
const over = new AbortController();
beforeAll(async () => {
  benches = await openBothBenches();
  served = await servePage(benches.demand, { port: 0, language: 'en', signal: over.signal });
});
afterAll(async () => {
  over.abort();
  await served.close();
  await benches.close();
});

test('a check is started by its button, its result comes by itself, and opened exchanges stay open', async () => {
  const { page, troubles, close } = await browserPage({ language: 'en' });
  await page.goto(served.url);
  const check = page.locator('li').filter({ has: page.locator('[id="run-token.given"]') });
  await check.getByRole('button').click();
  await check.getByText('Passed').waitFor();
  await check.locator('summary').click();
  await check.getByText('"TokenAvailableTime": 7200').waitFor();
  await page.locator('[id="run-stations.all"]').click();
  const second = page.locator('li').filter({ has: page.locator('[id="run-stations.all"]') });
  await second.getByText('Passed').waitFor();
  expect(await check.getByText('"TokenAvailableTime": 7200').isVisible()).toBe(true);
  await page.getByRole('link', { name: '中文' }).click();
  await page.getByText('query_token 签发令牌').waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test.each([
  { width: 1440, colours: 'light', language: 'en' },
  { width: 1440, colours: 'dark', language: 'zh-CN' },
  { width: 375, colours: 'light', language: 'zh-CN' },
  { width: 375, colours: 'dark', language: 'en' },
] as const)('the page is readable at $width in $colours and $language', async ({ width, colours, language }) => {
  const opened = await browserPage({ width, colours, language });
  const { page } = opened;
  await page.goto(`${served.url}?language=${language}`);
  for (const details of await page.locator('details').all()) await details.locator('summary').click();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflowFaults(page)).toEqual([]);
  expect(opened.troubles).toEqual([]);
  await opened.close();
});
