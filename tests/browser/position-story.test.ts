import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken } from './console-page.ts';

const clerk = { userName: 'clerk', realName: '客服小李' };
const ownPassword = 'quiet-meadow-58';

let network: ChargingNetwork;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(async () => {
  await network.end();
  expect(network.product.errors).toEqual([]);
});

test('a user who may only see orders cannot get around that by button, address or API call', async () => {
  const { product, api, orders } = network;
  const admin = await consolePage(product, { language: 'zh-CN', token: await newToken(product.url) });
  await admin.page.goto(`${product.url}/role`);
  await admin.page
    .getByRole('button', { name: /添加岗位$/ })
    .first()
    .click();
  const form = admin.page.getByRole('dialog');
  await form.getByLabel('岗位名称').fill('订单查看');
  await form.getByRole('radio').first().check();
  for (const screen of ['实时订单', '历史订单']) {
    await form.getByRole('checkbox', { name: screen, exact: true }).check();
  }
  await form.getByRole('button', { name: /添加岗位$/ }).click();
  await form.waitFor({ state: 'hidden' });
  const { items } = await api.get<{ items: { id: number; name: string; menuCodes: string[] }[] }>(
    `/positions?name=${encodeURIComponent('订单查看')}`,
  );
  const [position] = items;
  expect(position?.menuCodes).toEqual(expect.arrayContaining(['orderListReal', 'orderListHistory']));
  expect(position?.menuCodes).not.toContain('order.refund');
  const { initialPassword } = await api.post<{ initialPassword: string }>('/users', {
    ...clerk,
    positionId: position?.id,
  });
  await admin.close();

  const opened = await consolePage(product, { language: 'zh-CN', token: null });
  const { page } = opened;
  await page.goto(product.url);
  await page.getByLabel('手机号或用户名').fill(clerk.userName);
  await page.getByLabel('密码', { exact: true }).fill(initialPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).getByText('当前为初始密码').waitFor();
  await page.getByLabel('原密码', { exact: true }).fill(initialPassword);
  await page.getByLabel('新密码', { exact: true }).fill(ownPassword);
  await page.getByLabel('确认新密码', { exact: true }).fill(ownPassword);
  await page.getByRole('button', { name: '修改密码' }).click();
  await page.waitForURL('**/login*');
  await page.getByLabel('手机号或用户名').fill(clerk.userName);
  await page.getByLabel('密码', { exact: true }).fill(ownPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL(`${product.url}/orderListReal`);
  await page.getByRole('row').filter({ hasText: orders.running.number }).waitFor();

  for (const elsewhere of ['/user', '/role', '/configList', '/deviceList', '/home', '/nowhere']) {
    await page.goto(product.url + elsewhere);
    await page.waitForURL(`${product.url}/orderListReal`);
  }
  await page.goto(`${product.url}/orderListDetailHistory?id=${orders.completed.id}`);
  await page.getByText('工商业分时电价').first().waitFor();
  expect(await page.getByRole('button', { name: /退款$/ }).count()).toBe(0);
  // Without the right to full numbers the card is masked and cannot be copied.
  await page
    .getByText(/^[0-9A-F]{4}\*{8}[0-9A-F]{4}$/)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: /\*{8}/ }).count()).toBe(0);

  const token = await newToken(product.url, { userName: clerk.userName, password: ownPassword });
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${product.url}/api${path}`, {
      method,
      headers: { token, language: 'en', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const { message } = (await response.json()) as { message: { message: string } };
    return [response.status, message.message];
  };
  const denied = [403, 'No operation permission, please contact the administrator'];
  const refund = { amountFen: 100, reason: 'because I can' };
  expect(await ask('POST', `/orders/${orders.completed.id}/refunds`, refund)).toEqual(denied);
  expect(await ask('GET', '/users')).toEqual(denied);
  expect(
    await ask('PUT', `/positions/${position?.id}`, { name: 'mine', dataScope: 'platform', menuCodes: ['user'] }),
  ).toEqual(denied);
  expect(await ask('GET', '/sysConfig/list')).toEqual(denied);
  expect((await ask('GET', `/orders/${orders.completed.id}`))[0]).toBe(200);
  expect(opened.troubles).toEqual([]);
  await opened.close();
});
