import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken } from './console-page.ts';
import { follow } from './desk-work.ts';

const agent = { loginName: 'lingnan', realName: '岭南充电运营', phone: '13800000021' };
const ownPassword = 'quiet-meadow-58';

let network: ChargingNetwork;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(async () => {
  await network.end();
  expect(network.product.errors).toEqual([]);
});

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('手机号或用户名').fill(agent.loginName);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

/** On the page of an agent or a divider. */
async function settlesWeekly(desk: Page, party: string): Promise<void> {
  const cycle = (words: string) => desk.getByText(`当前周期 ${words}`).filter({ visible: true });
  await cycle('月结').or(cycle('日结')).first().waitFor();
  await desk.getByRole('button', { name: '更改结算设置' }).click();
  const terms = desk.getByRole('dialog', { name: `“${party}”的结算设置` });
  await terms.getByText(/^新周期自 \d{4}-\d\d-\d\d 起生效/).waitFor();
  await terms.getByText(/^当前周期：[日月]结/).waitFor();
  await terms.getByText('周结').click();
  await terms.getByRole('switch').filter({ hasText: '自动' }).waitFor();
  await terms.getByRole('button', { name: '更改结算设置' }).click();
  await terms.waitFor({ state: 'hidden' });
  await cycle('周结').waitFor();
  // Once a month: the form says so and sends nothing more.
  await desk.getByRole('button', { name: '更改结算设置' }).click();
  await terms
    .getByText(/^本月已更改过/)
    .first()
    .waitFor();
  expect(await terms.getByRole('button', { name: '更改结算设置' }).getAttribute('aria-disabled')).toBe('true');
  await terms.getByRole('button', { name: /取\s?消/ }).click();
  await terms.waitFor({ state: 'hidden' });
}

test('the platform adds an agent and hands it a station, and the agent signs in, finds exactly its own, and stays out while frozen', async () => {
  const { product, offline, free } = network;
  const admin = await consolePage(product, { language: 'zh-CN', token: await newToken(product.url) });
  const { page: desk } = admin;
  await desk.goto(`${product.url}/operatorList`);
  await desk
    .getByRole('button', { name: /添加代理商$/ })
    .first()
    .click();
  const form = desk.getByRole('dialog');
  await form.getByLabel('登录名').fill(agent.loginName);
  await form.getByLabel('代理商名称').fill(agent.realName);
  await form.getByLabel('手机号').fill(agent.phone);
  await form.getByLabel('分成比例').fill('62.5');
  await form.getByLabel('统一社会信用代码').fill('91350100M000100Y44');
  await form.getByRole('button', { name: /添加代理商$/ }).click();
  await form.getByText('统一社会信用代码有误').waitFor();
  await form.getByLabel('统一社会信用代码').fill('91350100M000100Y43');
  await form.getByRole('button', { name: /添加代理商$/ }).click();
  const once = desk.getByRole('dialog', { name: `${agent.realName} 的登录信息` });
  await once.getByText('仅显示这一次').waitFor();
  const initialPassword =
    (await once
      .getByText(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/)
      .first()
      .textContent()) ?? '';
  expect(initialPassword).toHaveLength(16);
  await once.getByRole('button', { name: '已记下' }).click();
  const row = desk.getByRole('row').filter({ hasText: agent.realName });
  await row.getByText('未修改').waitFor();
  await row.getByText('62.5').waitFor();

  // The station goes from the platform to the agent by the list of stations.
  const { api } = network;
  const { items } = await api.get<{ items: { id: number }[] }>(`/agents?loginName=${agent.loginName}`);
  await api.post('/station-changes', { kind: 'hand-to-agent', stationIds: [offline.id], agentId: items[0]?.id });

  const opened = await consolePage(product, { language: 'zh-CN', token: null });
  const { page } = opened;
  await page.goto(product.url);
  await signIn(page, initialPassword);
  await page.getByRole('heading', { level: 1 }).getByText('当前为初始密码').waitFor();
  await page.getByLabel('原密码', { exact: true }).fill(initialPassword);
  await page.getByLabel('新密码', { exact: true }).fill(ownPassword);
  await page.getByLabel('确认新密码', { exact: true }).fill(ownPassword);
  await page.getByRole('button', { name: '修改密码' }).click();
  await page.waitForURL('**/login*');
  await signIn(page, ownPassword);
  await page.waitForURL(`${product.url}/home`);
  await page.goto(`${product.url}/deviceList`);
  await page.getByRole('row').filter({ hasText: offline.number }).first().waitFor();
  expect(await page.getByText(free.number).count()).toBe(0);
  await page.goto(`${product.url}/operatorList`);
  await follow(page, page.getByRole('link', { name: agent.realName }));
  await page.getByRole('heading', { level: 1, name: agent.realName }).waitFor();
  await page.getByRole('cell', { name: agent.loginName }).waitFor();
  await page.getByText('充电桩', { exact: true }).last().click();
  await page.getByRole('cell', { name: offline.number }).waitFor();

  // Money that the agent prepaid, asked for with the amount.
  await desk.goto(`${product.url}/childrenAccount?id=${items[0]?.id}`);
  await desk.getByRole('button', { name: '预存充值' }).click();
  const prepaying = desk.getByRole('dialog', { name: `为 ${agent.realName} 预存充值` });
  await prepaying.getByLabel('充值金额').fill('1200.50');
  await prepaying.getByLabel('充值原因').fill('银行转账 20261128');
  await prepaying.getByRole('button', { name: '预存充值' }).click();
  const asked = desk.getByRole('dialog').filter({ hasText: `为 ${agent.realName} 预存充值 ¥1,200.50 吗？` });
  await asked.getByText('预存余额由 ¥0.00 变为 ¥1,200.50。').waitFor();
  await asked.getByRole('button', { name: '预存充值' }).click();
  await desk.getByText(`已为 ${agent.realName} 预存充值 ¥1,200.50`).waitFor();
  await desk.getByRole('definition').filter({ hasText: '¥1,200.50' }).waitFor();
  // Its own people cannot say that money arrived.
  await page.goto(`${product.url}/childrenAccount?id=${items[0]?.id}`);
  await page.getByText('¥1,200.50').waitFor();
  expect(await page.getByRole('button', { name: '预存充值' }).count()).toBe(0);

  // How it is settled with, before it has a first period; that is the platform's to change.
  expect(await page.getByRole('button', { name: '更改结算设置' }).count()).toBe(0);
  await settlesWeekly(desk, agent.realName);

  // A divider has the same on its page.
  const property = '云山物业';
  const { id: dividerId } = await api.post<{ id: number }>('/dividers', { name: property, agentId: items[0]?.id });
  await desk.goto(`${product.url}/accountChildren/detail?id=${dividerId}`);
  await settlesWeekly(desk, property);
  await desk.goto(`${product.url}/childrenAccount?id=${items[0]?.id}`);

  // Back to the platform, with what moves and what stays in words.
  await desk.goto(`${product.url}/childrenAccount?id=${items[0]?.id}`);
  await desk.getByRole('button', { name: '移交' }).click();
  const handing = desk.getByRole('dialog');
  await handing.getByText('平台', { exact: true }).click();
  await handing.getByText('移交：0 个站点、1 台充电桩').waitFor();
  await handing.getByText(`仍属于 ${agent.realName}`).waitFor();
  await handing.getByLabel('移交原因').fill('合同到期');
  await handing.getByRole('button', { name: '移交 1 台充电桩' }).click();
  await desk.getByText('已移交 0 个站点、1 台充电桩').waitFor();
  await handing.waitFor({ state: 'hidden' });
  await page.goto(`${product.url}/deviceList`);
  await page.getByText('还没有充电桩').waitFor();

  await desk.getByRole('button', { name: '冻结' }).click();
  const freezing = desk.getByRole('dialog');
  await freezing.getByText('1 名员工立即退出').waitFor();
  await freezing.getByLabel('冻结原因').fill('合同到期');
  await freezing.getByRole('button', { name: '冻结' }).click();
  await desk.getByText('已冻结：其员工不能登录').waitFor();
  await page.goto(`${product.url}/operatorList`);
  await page.getByRole('button', { name: '重新登录' }).click();
  await page.waitForURL('**/login*');
  await signIn(page, ownPassword);
  await page.getByRole('alert').filter({ hasText: '禁用' }).waitFor();
  await opened.close();
  await admin.close();
});
