import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, leave, newToken } from './console-page.ts';

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
});
afterAll(() => network.end());

test('an order leads to its story, which tells the money and the frames and refunds from where it stands', async () => {
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  const { id, number } = network.orders.completed;
  await page.goto(`${network.product.url}/orderListDetailHistory?id=${id}`);
  const glance = page.getByRole('region', { name: 'Order at a glance' });
  await leave(page, () => glance.getByRole('button', { name: 'What happened', exact: true }).click());
  await page.getByRole('heading', { name: `What happened with order ${number}` }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText(/^The charge began/).waitFor();
  await timeline.getByText(/charged, ¥[\d.]+ released/).waitFor();
  const end = timeline.getByText('The station reported the end of the charge');
  expect(await end.isVisible()).toBe(false);
  await timeline.getByRole('button', { name: /^Show \d+ details?$/ }).click();
  await end.waitFor();
  expect(await timeline.getByRole('link', { name: 'Raw frame' }).count()).toBeGreaterThan(0);
  const acts = page.getByRole('group', { name: 'What you can do now' });
  await acts.getByRole('button', { name: 'Refund' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('spinbutton').fill('1');
  await form.getByRole('textbox').last().fill('The plug was loose');
  await form
    .getByRole('button', { name: /Refund/ })
    .last()
    .click();
  await timeline.getByText('refunded ¥1.00: The plug was loose').waitFor();
  await page
    .getByRole('region', { name: 'Now' })
    .getByText(/¥1\.00 refunded/)
    .waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('the story of a running charge follows it, and a frame is one click away', async () => {
  const { page, troubles, close } = await consolePage(network.product, { language: 'zh-CN', token });
  await page.goto(`${network.product.url}/orderStory?id=${network.orders.running.id}`);
  await page
    .getByRole('region', { name: '现在', exact: true })
    .getByText(/^正在充电，已充/)
    .waitFor();
  await page.getByRole('button', { name: /^显示细节/ }).click();
  const frame = page.getByRole('link', { name: '原始报文' }).first();
  await leave(page, () => frame.click());
  await page.waitForURL(/\/deviceLogOther\?.*frame=\d+_\d+/);
  expect(troubles).toEqual([]);
  await close();
});

test('the station and the registered user have their stories, which lead to those of their orders', async () => {
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  await page.goto(`${network.product.url}/deviceDetail?id=${network.free.id}`);
  await leave(page, () => page.getByRole('button', { name: 'What happened', exact: true }).click());
  await page.getByRole('heading', { name: /^What happened at/ }).waitFor();
  const story = page.getByRole('region', { name: 'Timeline' }).filter({ visible: true });
  await story.getByText(`Order ${network.orders.refunded.number} was placed`).first().waitFor();
  await leave(page, () => story.getByRole('link', { name: 'What happened with the order' }).first().click());
  await page.getByRole('heading', { name: /^What happened with order/ }).waitFor();
  await page.goto(`${network.product.url}/registerUserDetail?id=1`);
  await leave(page, () => page.getByRole('button', { name: 'What happened', exact: true }).click());
  await page.getByText('The account is in order and can charge.').waitFor();
  expect(troubles).toEqual([]);
  await close();
});
