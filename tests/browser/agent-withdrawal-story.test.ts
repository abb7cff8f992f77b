import type { Api, Language } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { fundBalance } from '@voltdeck/server/http/test-records';
import type { DividerId } from '@voltdeck/units/id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, follow, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { inFront, type NetworkWalk, networkWalk } from './network-walk.ts';
import { addPaidAgent, agePayoutAccounts } from './paid-agent.ts';
import { addPerson } from './people.ts';

const platformMenus = [
  'operatorList',
  'agent.freeze',
  'tixianRecods',
  'agent_withdrawal.review',
  'agent_withdrawal.pay',
  'agent_withdrawal.return',
];

let product: HostedProduct;
let database: Database;
let api: Api;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
});
afterAll(async () => {
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Walk = NetworkWalk & { troubles: string[] };

async function open(token: string, language: Language, size: { width: number; height: number }): Promise<Walk> {
  const opened = await consolePage(product, { token, language, ...size });
  return { ...networkWalk(opened.page, language), troubles: opened.troubles };
}

const figure = ({ page }: Walk, name: string) => page.locator(`[data-figure=${name}] .figure`);

async function apply(agent: Walk, yuan: string, bank = '中国工商银行'): Promise<string> {
  const { page, say } = agent;
  await press(page, say('agent-withdrawals.add'));
  const form = inFront(agent);
  await form.getByText(bank).waitFor();
  await form.getByLabel(say('agent-withdrawals.amount')).fill(yuan);
  await form.getByText(say('agent-withdrawals.preview', { payout: `¥${yuan}`, fee: '¥0.00' })).waitFor();
  await press(form, say('agent-withdrawals.addVerb', { amount: `¥${yuan}` }));
  await form.waitFor({ state: 'hidden' });
  await settled(agent);
  const { rows } = await database.pool.query<{ number: string }>(
    'select number from agent_withdrawals order by id desc limit 1',
  );
  return rows[0]?.number ?? '';
}

test.each([
  { language: 'zh-CN', loginName: 'lingnan', realName: '岭南充电运营', phone: '13800000021' },
  { language: 'en', loginName: 'harbour', realName: 'Harbour Charging', phone: '13800000022' },
] as const)(
  'an agent withdraws on a phone and is paid by the bank’s receipt; another withdrawal is rejected and its money is back ($language)',
  async ({ language, ...who }) => {
    const paid = await addPaidAgent({ api, database, url: product.url }, who, 50_000);
    const person = await addPerson({ api, database, url: product.url }, `finance-${who.loginName}`, platformMenus);
    const agent = await open(paid.token, language, { width: 375, height: 812 });
    const { say } = agent;
    await agent.page.goto(`${product.url}/operatorList`);
    await follow(agent.page, agent.page.getByRole('link', { name: say('agents.withdrawals') }));
    await expect.poll(() => figure(agent, 'balance').textContent()).toBe('¥500.00');
    const refused = await apply(agent, '200.00');
    const number = await apply(agent, '120.50');
    await expect.poll(() => figure(agent, 'frozen').textContent()).toBe('¥320.50');
    expect(await figure(agent, 'balance').textContent()).toBe('¥179.50');
    expect(await agent.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

    const desk = await open(person.token, language, { width: 1440, height: 900 });
    await desk.page.goto(`${product.url}/tixianRecods?agentId=${paid.id}`);
    await expect.poll(() => figure(desk, 'waiting').textContent()).toContain('2');
    await actOn(desk, rowOf(desk.page, number), say('agent-withdrawals.pass'));
    await inFront(desk).getByText(paid.realName).first().waitFor();
    await press(inFront(desk), say('agent-withdrawals.pass'));
    await rowOf(desk.page, number).getByText(say('withdrawal-state.in_review')).waitFor();
    // Masked in the list, whole where it is paid.
    expect(await rowOf(desk.page, number).textContent()).not.toContain(paid.accountNumber);
    await actOn(desk, rowOf(desk.page, number), say('agent-withdrawals.pay'));
    const paying = inFront(desk);
    await paying.getByText(paid.accountNumber).waitFor();
    await press(paying, say('agent-withdrawals.payVerb', { payout: '¥120.50' }));
    await paying.getByText(say('field.required')).first().waitFor();
    await paying.getByLabel(say('agent-withdrawals.receipt')).fill(`HQ-${who.loginName}`);
    await press(paying, say('agent-withdrawals.payVerb', { payout: '¥120.50' }));
    await rowOf(desk.page, number).getByText(say('withdrawal-state.withdrawn')).waitFor();

    await actOn(desk, rowOf(desk.page, refused), say('agent-withdrawals.reject'));
    const rejecting = inFront(desk);
    await rejecting.getByText('¥200.00').waitFor();
    await rejecting.getByLabel(say('agent-withdrawals.reason')).fill('账户与营业执照不符');
    await press(rejecting, say('agent-withdrawals.reject'));
    await rowOf(desk.page, refused).getByText(say('withdrawal-state.failed')).waitFor();

    await agent.page.reload();
    await expect.poll(() => figure(agent, 'balance').textContent()).toBe('¥379.50');
    expect(await figure(agent, 'withdrawn').textContent()).toBe('¥120.50');
    expect(await figure(agent, 'frozen').textContent()).toBe('¥0.00');
    await agent.page.getByText(`HQ-${who.loginName}`).first().waitFor();
    await agent.page.getByText('账户与营业执照不符').first().waitFor();
    expect([...agent.troubles, ...desk.troubles]).toEqual([]);
  },
);

test.each([
  { language: 'zh-CN', name: '湖滨物业', loginName: 'hubin', bank: '招商银行' },
  { language: 'en', name: 'Lakeside Property', loginName: 'lakeside', bank: 'Bank of the Lakes' },
] as const)(
  'a divider enters its payout account on a phone, withdraws its income and sees the receipt of the bank ($language)',
  async ({ language, name, loginName, bank }) => {
    const added = await api.post<{ id: DividerId; initialPassword: string }>('/dividers', { name, loginName });
    await fundBalance(database, { kind: 'divider', id: added.id }, 50_000);
    await database.pool.query(
      `update dividers set payout_kind = null, payout_holder = null, payout_bank = null, payout_branch = null,
              payout_bank_code = null, payout_number = null where id = $1`,
      [added.id],
    );
    await database.pool.query('update users set password_is_initial = false where user_name = $1', [loginName]);
    const person = await addPerson({ api, database, url: product.url }, `cashier-${loginName}`, [
      ...platformMenus,
      'accountChildren',
    ]);
    const token = await newToken(product.url, { userName: loginName, password: added.initialPassword });
    const divider = await open(token, language, { width: 375, height: 812 });
    const { page, say } = divider;
    await page.goto(`${product.url}/dividerIncome`);
    await follow(page, page.getByRole('link', { name: say('dividerIncome.withdraw') }));
    await expect.poll(() => figure(divider, 'balance').textContent()).toBe('¥500.00');
    await press(page, say('agent-withdrawals.setAccount'));
    const setting = inFront(divider);
    await press(setting, say('agent-withdrawals.saveAccount'));
    await setting.getByText(say('field.required')).first().waitFor();
    await setting.getByLabel(say('agent-withdrawals.holder')).fill(name);
    await setting.getByLabel(say('agent-withdrawals.bank'), { exact: true }).fill(bank);
    await setting.getByLabel(say('agent-withdrawals.account'), { exact: true }).fill('6225880000001234567');
    await press(setting, say('agent-withdrawals.saveAccount'));
    await setting.waitFor({ state: 'hidden' });
    await agePayoutAccounts(database);
    const number = await apply(divider, '120.50', bank);
    await expect.poll(() => figure(divider, 'frozen').textContent()).toBe('¥120.50');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

    const desk = await open(person.token, language, { width: 1440, height: 900 });
    await desk.page.goto(`${product.url}/tixianRecods?dividerId=${added.id}`);
    await rowOf(desk.page, number).getByText(name).first().waitFor();
    await rowOf(desk.page, number).getByText(say('payee-party.divider')).waitFor();
    // One of this divider alone.
    await expect
      .poll(() =>
        desk.page
          .getByRole('row')
          .filter({ hasText: /E\d{20}/ })
          .count(),
      )
      .toBe(1);
    await actOn(desk, rowOf(desk.page, number), say('agent-withdrawals.pass'));
    await press(inFront(desk), say('agent-withdrawals.pass'));
    await rowOf(desk.page, number).getByText(say('withdrawal-state.in_review')).waitFor();
    await actOn(desk, rowOf(desk.page, number), say('agent-withdrawals.pay'));
    const paying = inFront(desk);
    await paying.getByText('6225880000001234567').waitFor();
    await paying.getByLabel(say('agent-withdrawals.receipt')).fill(`LK-${loginName}`);
    await press(paying, say('agent-withdrawals.payVerb', { payout: '¥120.50' }));
    await rowOf(desk.page, number).getByText(say('withdrawal-state.withdrawn')).waitFor();

    await page.reload();
    await expect.poll(() => figure(divider, 'withdrawn').textContent()).toBe('¥120.50');
    await page.getByText(`LK-${loginName}`).first().waitFor();
    expect([...divider.troubles, ...desk.troubles]).toEqual([]);
  },
);
