import type { Api } from '@voltdeck/journeys/api';
import { dayTariff } from '@voltdeck/journeys/two-hour-charge';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ruleWalk } from './rule-walk.ts';

let api: Api;
let siteId = 0;
/** The rule of a station and the default of the platform. */
let tariffId = 0;
const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
  siteId = await api.createSite('Lakeside');
  tariffId = await api.createTariff(dayTariff);
  await api.createStation({ number: 'PRICED-1', siteId, tariffId });
});

const form = (page: Page) => page.getByRole('dialog').filter({ visible: true }).last();
const saved = async () => (await api.get<{ total: number }>('/stations')).total;

const countFields = ['connectorCount', 'maxPowerKw', 'voltageV', 'currentA'] as const;

test.each([
  ['zh-CN', '添加充电桩', ['不能小于 1', '请输入整数']],
  ['en', 'Add station', ['Must be at least 1', 'Must be a whole number']],
] as const)(
  '5.6.1 gun count, max power, voltage and current are positive integers in the form of a station, in %s',
  async (language, verb, [tooSmall, notWhole]) => {
    const before = await saved();
    const page = await walk.open('/deviceList?do=add', { language });
    await form(page).locator('#connectorCount').waitFor();
    for (const [text, fault] of [
      ['0', tooSmall],
      ['-5', tooSmall],
      ['1.5', notWhole],
    ] as const) {
      for (const name of countFields) await form(page).locator(`#${name}`).fill(text);
      await form(page).getByRole('button', { name: verb, exact: true }).click();
      for (const name of countFields) {
        const item = form(page)
          .locator('.ant-form-item')
          .filter({ has: page.locator(`#${name}`) });
        await item.getByText(fault, { exact: true }).waitFor();
      }
    }
    expect(await saved()).toBe(before);
  },
);

describe('a billing rule', () => {
  test.each([
    ['zh-CN', '删除', '计费规则使用中，不能删除'],
    ['en', 'Delete', 'A rule in use cannot be deleted'],
  ] as const)('8.2.15 in use cannot be deleted and says so, in %s', async (language, verb, text) => {
    const page = await walk.open(`/rules/detail?id=${tariffId}`, { language });
    const button = page.getByRole('button', { name: verb, exact: true });
    await button.waitFor();
    expect(await button.getAttribute('aria-description')).toBe(text);
  });

  test.each([
    ['zh-CN', '删除', '系统默认计费规则不能删除'],
    ['en', 'Delete', 'The system default rule cannot be deleted'],
  ] as const)(
    '8.2.16 that is the system default cannot be deleted and says so, in %s',
    async (language, verb, text) => {
      const id = await api.createTariff({ ...dayTariff, name: `Default ${language}` });
      await api.ask('PUT', `/tariffs/${id}/default`, { for: 'platform', equipmentType: 'two-wheel' });
      const page = await walk.open(`/rules/detail?id=${id}`, { language });
      const button = page.getByRole('button', { name: verb, exact: true });
      await button.waitFor();
      expect(await button.getAttribute('aria-description')).toBe(text);
    },
  );
});
