import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

/** More than a direct download allows. */
const orders = 5_400;
let product: HostedProduct;

beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  const place = await makePlace(database, null, 'lake');
  await database.pool.query(
    `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                         connector_id, connector_number, placed_at)
     select 'B' || g, case when g % 100 = 0 then 'cancelled' else 'completed' end, 'paid', 'card', 'card', 'energy',
            $1, $2, $3, 1, now() - g * interval '1 minute'
       from generate_series(1, $4) g`,
    [place.siteId, place.stationId, place.connectorId, orders],
  );
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a list of more than 5,000 rows is exported in the background, shown in the task centre and offered when done', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  const { page } = opened;
  await page.goto(`${product.url}/orderListHistory?time=placed`);
  await page.getByText('Total 5,400').waitFor();
  await settled(opened);
  await page.getByRole('button', { name: /Export$/ }).click();
  await page.getByText('Over 5,000 rows: exporting in the background').waitFor();
  // The message offers the link for ten seconds; the export may take longer.
  await page.getByRole('button', { name: 'Open the task centre' }).click();
  await page.waitForURL(/\/taskList/);
  await page.getByRole('row').filter({ hasText: '5,400' }).getByText('Done').waitFor();

  await page.goBack();
  await page.getByText(/^Exported Orders .*\.xlsx/).waitFor();
  const downloading = page.waitForEvent('download');
  await page.locator('.ant-message').getByRole('button', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^Orders \d{4}-\d\d-\d\d\.xlsx$/);
  expect(opened.troubles).toEqual([]);
  await opened.close();
});

test('a filter that leaves few rows is downloaded directly', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  const { page } = opened;
  await page.goto(`${product.url}/orderListHistory?state=cancelled`);
  await page.getByText('Total 54', { exact: true }).waitFor();
  await settled(opened);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /Export$/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^Orders/);
  expect(opened.troubles).toEqual([]);
  await opened.close();
});
