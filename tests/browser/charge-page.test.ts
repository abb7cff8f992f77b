import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation, tellFree } from '@voltdeck/journeys/library-station';
import { dayTariff } from '@voltdeck/journeys/two-hour-charge';
import { until } from '@voltdeck/journeys/until';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

const number = 'SCAN-1';
const phone = '13900000390';
const weightMaxBytes = 60 * 1024;
const targetMinPx = 44;

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
beforeAll(async () => {
  product = await hostedProduct((await freshDatabase()).url);
  api = await product.signIn();
  const siteId = await api.createSite('Lakeside');
  const tariffId = await api.createTariff(dayTariff);
  const { password } = await api.createStation({ number, siteId, tariffId });
  await api.createStation({ number: 'SCAN-AWAY', siteId, tariffId });
  const promotion = { satisfiedFen: 5_000, giftFen: 500, effective: true };
  await api.post('/promotions', { ...promotion, name: 'Autumn', displayed: true });
  await api.post('/promotions', { ...promotion, name: 'For few', displayed: false });
  station = await libraryStation(product.ocppUrl, { number, password });
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L2' });
  await tellFree(station);
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** The digits of the last message to the phone, which the embedded sender writes to the log. */
function codeOf(): string | null {
  const line = product.output.findLast((one) => one.includes('"short message"') && one.includes(phone));
  return line === undefined ? null : (JSON.parse(line) as { code: string }).code;
}

const shown = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Buttons, links and fields that a thumb would miss. */
const smallTargets = (page: Page) =>
  page.evaluate(
    (min) =>
      [...document.querySelectorAll('button, a, select, summary, input:not([type="radio"]), label.choice')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < min)
        .map((one) => one.outerHTML.slice(0, 80)),
    targetMinPx,
  );

async function looksRight(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflowFaults(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
}

test('a scanned code leads from price and sign-in over recharge and charge to the bill, on a phone', async () => {
  const opened = await browserPage({ width: 390, height: 844, language: 'en', hasTouch: true });
  const { page } = opened;
  let weight = 0;
  page.on('response', async (response) => {
    if (!['document', 'script', 'stylesheet'].includes(response.request().resourceType())) return;
    await response.finished();
    const { responseBodySize } = await response.request().sizes();
    weight += responseBodySize;
  });
  const answer = await page.goto(`${product.url}/charge/${number}-1`, { waitUntil: 'networkidle' });
  expect(answer?.headers()['content-security-policy']).not.toContain('unsafe');
  await shown(page, 'Charge here');
  console.log(`the page of a QR code weighs ${(weight / 1024).toFixed(1)} KiB`);
  expect(weight).toBeGreaterThan(4 * 1024);
  expect(weight).toBeLessThanOrEqual(weightMaxBytes);
  await page.getByText('/ kWh · ').first().waitFor();
  await looksRight(page);

  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Send a code' }).click();
  const field = page.getByLabel('Code from the message');
  await field.waitFor();
  await field.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The code is wrong or has expired').waitFor();
  await field.fill(await until('the message was sent', codeOf));
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByText('Your balance is too low: at least ¥1.00 is needed').waitFor();
  await page.getByText('Autumn: ¥5.00 extra from ¥50.00').waitFor();
  expect(await page.getByText('For few').count()).toBe(0);
  await looksRight(page);
  await page.getByLabel('Amount (yuan)').fill('30');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  const paying = opened.context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the payment page' }).click();
  const payment = await paying;
  await payment.locator('[data-act="pay"]').click();
  await page.getByText('Balance ¥30.00').waitFor();

  await page.getByRole('button', { name: 'Start charging' }).click();
  await shown(page, 'Waiting for the station');
  await looksRight(page);
  const [{ payload } = { payload: {} }] = station.asked.filter(({ action }) => action === 'RemoteStartTransaction');
  const { idTag } = payload as { idTag: string };
  const startMs = Math.floor(Date.now() / 1_000) * 1_000;
  const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 1_000_000,
    timestamp: at(0),
  });
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [
      {
        timestamp: at(0.02),
        sampledValue: [
          { value: '1000010', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: '6600', measurand: 'Power.Active.Import', unit: 'W' },
        ],
      },
    ],
  });
  await shown(page, 'Charging');
  await page.getByText('6.6 kW').waitFor();
  await looksRight(page);

  // A reload, and a network that is away for a while, lose nothing.
  await page.reload();
  await shown(page, 'Charging');
  await opened.context.setOffline(true);
  await page.getByText('Connection lost').waitFor();
  await opened.context.setOffline(false);
  await page.getByText('Connection lost').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Stop charging' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  expect(station.asked.some(({ action }) => action === 'RemoteStopTransaction')).toBe(false);
  await page.getByRole('button', { name: 'Stop charging' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  await until('the station is asked to stop', () =>
    station.asked.find(({ action }) => action === 'RemoteStopTransaction'),
  );
  await station.call('StopTransaction', {
    transactionId,
    idTag,
    meterStop: 1_000_020,
    timestamp: new Date().toISOString(),
    reason: 'Remote',
  });
  await shown(page, 'Charge complete');
  await page.getByText('Stopped remotely').waitFor();
  await page.getByText('Bill', { exact: true }).click();
  await looksRight(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Signed in: 13900000390').waitFor();
  expect(opened.troubles.filter((trouble) => !/ERR_INTERNET_DISCONNECTED|422|401/.test(trouble))).toEqual([]);
  await opened.close();
});

test.each([
  ['zh-CN', 'light', 'NOWHERE-9-1', '未找到该枪口', '二维码“NOWHERE-9-1”不属于本平台'],
  ['en', 'dark', 'NOWHERE-9-1', 'No such gun port', 'The code “NOWHERE-9-1” does not belong'],
  ['zh-CN', 'dark', 'SCAN-AWAY-1', '现在无法充电', '充电桩离线'],
  ['en', 'light', 'SCAN-AWAY-1', 'Charging is not possible now', 'The station is offline'],
] as const)(
  'in %s and %s, the code %s says what is wrong and what to do, at 320 pixels',
  async (language, colours, qr, title, text) => {
    const opened = await browserPage({ width: 320, height: 640, language, colours });
    const { page } = opened;
    await page.goto(`${product.url}/charge/${qr}`);
    await shown(page, title);
    await page.getByText(text).waitFor();
    await looksRight(page);
    await page.getByRole('button', { name: language === 'en' ? '中文' : 'English' }).click();
    await shown(
      page,
      {
        未找到该枪口: 'No such gun port',
        现在无法充电: 'Charging is not possible now',
        'No such gun port': '未找到该枪口',
        'Charging is not possible now': '现在无法充电',
      }[title],
    );
    await opened.close();
  },
);
