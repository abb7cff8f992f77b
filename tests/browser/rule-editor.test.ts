import type { Tariff } from '@voltdeck/contract/tariffs';
import type { Api } from '@voltdeck/journeys/api';
import { until } from '@voltdeck/journeys/until';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';
import { networkWalk } from './network-walk.ts';
import { ruleWalk } from './rule-walk.ts';

let api: Api;
let siteId = 0;
const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
  siteId = await api.createSite('Lakeside');
});

const prices = {
  sharp: { electricity: 131_000, service: 42_000 },
  peak: { electricity: 109_000, service: 45_000 },
  flat: { electricity: 76_000, service: 48_000 },
  valley: { electricity: 38_000, service: 42_000 },
};
const slots = [
  { start: '00:00', end: '07:00', period: 'valley' },
  { start: '07:00', end: '24:00', period: 'flat' },
];
let made = 0;
let name = '';
let ruleId = 0;

beforeEach(async () => {
  made += 1;
  name = `Rule ${made}`;
  ruleId = (await api.post<{ id: number }>('/tariffs', { kind: 'energy', name, prices, slots })).id;
});

const findRule = async () => (await api.get<{ items: Tariff[] }>(`/tariffs?name=${encodeURIComponent(name)}`)).items[0];

async function slotsOfRule() {
  const rule = await findRule();
  return rule?.detail.kind === 'energy' ? rule.detail.slots.map((slot) => `${slot.start} ${slot.period}`) : [];
}

const form = (page: Page) => page.getByRole('dialog');
const strip = (page: Page) => form(page).getByRole('grid', { name: 'Periods of the 24 hours' });
const cell = (page: Page, index: number) => strip(page).locator(`[data-cell="${index}"]`);
const covers = (page: Page, text: string) => form(page).getByRole('status').getByText(text, { exact: true });

async function openEditor(): Promise<Page> {
  const page = await walk.open(`/rules/list?do=edit&of=${ruleId}`, { language: 'en' });
  await strip(page).waitFor();
  return page;
}

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Save rule' }).click();
  await form(page).waitFor({ state: 'hidden' });
}

/** Chooses a time as it is typed. */
async function choose(page: Page, field: string, time: string): Promise<void> {
  const select = form(page).getByRole('combobox', { name: field });
  await select.fill(time);
  await select.press('Enter');
}

async function centre(of: Locator): Promise<{ x: number; y: number }> {
  await of.scrollIntoViewIfNeeded();
  const box = await of.boundingBox();
  if (box === null) throw new Error('not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe('the 24 hours', () => {
  test('a drag of the mouse paints half hours with the chosen period', async () => {
    const page = await openEditor();
    await form(page).getByRole('radiogroup', { name: 'Brush' }).getByText('Sharp').click();
    const [from, to] = [await centre(cell(page, 36)), await centre(cell(page, 39))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await form(page).getByText('18:00–20:00 becomes Sharp').waitFor();
    await page.mouse.up();
    await covers(page, '00:00–24:00 covered, 4 slots').waitFor();
    await save(page);
    expect(await slotsOfRule()).toEqual(['00:00 valley', '07:00 flat', '18:00 sharp', '20:00 flat']);
  });

  test('a finger that moves along the strip paints on a phone, where the day has two rows', async () => {
    const phone = await browserPage({ width: 375, height: 800, reducedMotion: true, hasTouch: true });
    try {
      await phone.context.addInitScript(() => localStorage.setItem('change-language', 'en'));
      await phone.context.addCookies([{ name: 'zhny_token', value: walk.token, url: walk.product.url }]);
      const { page } = phone;
      await page.goto(`${walk.product.url}/rules/list?do=edit&of=${ruleId}`);
      await strip(page).waitFor();
      expect(await strip(page).getByRole('row').count()).toBe(2);
      const [from, to] = [await centre(cell(page, 24)), await centre(cell(page, 27))];
      const touch = await phone.context.newCDPSession(page);
      const at = (x: number, y: number) => ({ touchPoints: [{ x, y }] });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from.x, from.y) });
      for (let step = 1; step <= 4; step += 1) {
        const x = from.x + ((to.x - from.x) * step) / 4;
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x, from.y) });
      }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await covers(page, '00:00–24:00 covered, 4 slots').waitFor();
      await save(page);
      expect(await slotsOfRule()).toEqual(['00:00 valley', '07:00 flat', '12:00 peak', '14:00 flat']);
      expect(phone.troubles).toEqual([]);
    } finally {
      await phone.close();
    }
  });

  test('arrows move, Shift extends, a letter or a number paints, and screen readers hear it', async () => {
    const page = await openEditor();
    await cell(page, 0).focus();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('Shift+ArrowRight');
    expect(await strip(page).locator('[aria-selected="true"]').count()).toBe(6);
    await page.keyboard.press('p');
    await form(page).getByText('10:00–13:00 is Peak now', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('4');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await covers(page, 'Not covered: 00:00–00:30').waitFor();
    await form(page).getByRole('button', { name: 'Save rule' }).click();
    await form(page).getByText('00:00 to 00:30 has no slot').waitFor();
    await cell(page, 0).focus();
    await page.keyboard.press('s');
    await save(page);
    expect(await slotsOfRule()).toEqual([
      '00:00 sharp',
      '00:30 valley',
      '07:00 flat',
      '10:00 peak',
      '13:00 flat',
      '23:30 valley',
    ]);
  });

  test('the table and the strip are two views of one day, with the sum of both fees for each slot', async () => {
    const page = await openEditor();
    expect(await form(page).getByRole('region', { name: 'Slots' }).getByRole('row').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('0.8000'), expect.stringContaining('1.2400')]),
    );
    await choose(page, 'End of slot 1', '08:30');
    expect(await cell(page, 16).getAttribute('data-period')).toBe('valley');
    expect(await cell(page, 17).getAttribute('data-period')).toBe('flat');
    await form(page).getByRole('button', { name: 'Remove slot 1' }).click();
    await covers(page, 'Not covered: 00:00–08:30').waitFor();
    await choose(page, 'Start of slot 1', '00:00');
    await covers(page, '00:00–24:00 covered, 1 slot').waitFor();
  });

  test('the periods of another rule can be taken over', async () => {
    const other = [
      { start: '00:00', end: '12:00', period: 'valley' },
      { start: '12:00', end: '24:00', period: 'peak' },
    ];
    await api.post('/tariffs', { kind: 'energy', name: `Model ${made}`, prices, slots: other });
    const page = await openEditor();
    await form(page).getByRole('combobox', { name: 'Use the periods of' }).fill(`Model ${made}`);
    await page.getByTitle(`Model ${made}`).click();
    await until(
      'the periods are taken over',
      async () => (await cell(page, 24).getAttribute('data-period')) === 'peak',
    );
    await save(page);
    expect(await slotsOfRule()).toEqual(['00:00 valley', '12:00 peak']);
  });
});

describe('validation', () => {
  test.each([
    ['zh-CN', '请填写单价', '添加计费规则'],
    ['en', 'Enter a price', 'Add rule'],
  ] as const)('5.7.1 all prices of all four periods are mandatory, in %s', async (language, text, verb) => {
    const page = await walk.open('/rules/list?do=add', { language });
    await form(page).getByRole('grid').waitFor();
    await form(page).getByRole('button', { name: verb }).click();
    await until('all eight say so', async () => (await form(page).getByText(text, { exact: true }).count()) === 8);
  });

  test.each([
    ['zh-CN', '07:00 至 08:30 没有时段', '未覆盖：07:00–08:30', '保存规则'],
    ['en', '07:00 to 08:30 has no slot', 'Not covered: 07:00–08:30', 'Save rule'],
  ] as const)('5.7.5 a gap is refused at the slots with its times, in %s', async (language, text, live, verb) => {
    const page = await walk.open(`/rules/list?do=edit&of=${ruleId}`, { language });
    await form(page).getByRole('grid').locator('[data-cell="14"]').focus();
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Delete');
    await covers(page, live).waitFor();
    await form(page).getByRole('button', { name: verb }).click();
    await form(page).getByText(text).waitFor();
    expect((await findRule())?.version).toBe(1);
  });

  test.each([
    ['zh-CN', '重叠：06:00–', '06:00 至 07:00 时段重叠'],
    ['en', 'Overlapping: 06:00–', 'Slots overlap from 06:00 to 07:00'],
  ] as const)('5.7.5 overlapping slots are shown while typing and refused, in %s', async (language, live, text) => {
    const page = await walk.open(`/rules/list?do=edit&of=${ruleId}`, { language });
    const { say } = networkWalk(page, language);
    await form(page)
      .getByRole('button', { name: say('shell.slotAdd') })
      .click();
    await choose(page, say('shell.slotStart', { number: 3 }), '06:00');
    await form(page).getByRole('status').getByText(live).waitFor();
    await form(page)
      .getByRole('button', { name: say('tariffs.save') })
      .click();
    await form(page).getByText(text).waitFor();
    expect((await findRule())?.version).toBe(1);
  });

  test('5.7.2 9.4.2 only half hours can be chosen, and an end after its start', async () => {
    const page = await openEditor();
    await form(page).getByRole('combobox', { name: 'End of slot 2' }).click();
    const offered = await page.locator('.ant-select-dropdown:visible .ant-select-item').allInnerTexts();
    expect(offered.length).toBeGreaterThan(3);
    expect(offered.every((time) => /^\d\d:[03]0$/.test(time) && time > '07:00')).toBe(true);
  });

  test('9.4.1 the day has 48 half hours and no slot more', async () => {
    const time = (at: number) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`;
    const halves = Array.from({ length: 46 }, (_, at) => ({
      start: time(at),
      end: time(at + 1),
      period: at % 2 === 0 ? 'sharp' : 'peak',
    }));
    const many = [...halves, { start: '23:00', end: '24:00', period: 'flat' }];
    await api.ask('PUT', `/tariffs/${ruleId}`, { kind: 'energy', name, prices, slots: many });
    ruleId = (await findRule())?.id ?? 0;
    const page = await openEditor();
    expect(await strip(page).getByRole('gridcell').count()).toBe(48);
    await covers(page, '00:00–24:00 covered, 47 slots').waitFor();
    await cell(page, 0).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('4');
    await covers(page, '00:00–24:00 covered, 48 slots').waitFor();
    expect(await form(page).getByRole('button', { name: 'Add slot' }).isDisabled()).toBe(true);
    await save(page);
    expect((await slotsOfRule()).length).toBe(48);
  });
});

describe('what a rule says and does', () => {
  test('the sample bill beside the editor follows what is entered', async () => {
    const page = await openEditor();
    const sample = form(page).getByRole('region', { name: 'Sample bill' });
    await sample.getByText('¥37.20', { exact: true }).waitFor();
    await form(page).getByRole('spinbutton', { name: 'Regular Electricity (CNY/kWh)' }).fill('1.76');
    await sample.getByText('¥67.20', { exact: true }).waitFor();
    await cell(page, 35).focus();
    await page.keyboard.press('4');
    await sample.getByText('Valley').waitFor();
    await form(page).getByRole('spinbutton', { name: 'Valley Service (CNY/kWh)' }).fill('');
    await sample.getByText('The bill appears once prices and slots are complete').waitFor();
  });

  test('a change of prices is a new version at the stations of the rule, with its history on the page', async () => {
    const number = `EDIT-${made}`;
    await api.createStation({ number, siteId, tariffId: ruleId });
    const page = await openEditor();
    await form(page).getByText('Takes effect at 1 station as soon as it is saved').waitFor();
    await form(page).getByRole('spinbutton', { name: 'Valley Electricity (CNY/kWh)' }).fill('0.3');
    await save(page);
    const rule = await findRule();
    expect(rule).toMatchObject({ version: 2, stationCount: 1 });
    const shown = await walk.open(`/rules/detail?id=${rule?.id}`, { language: 'en' });
    await shown.getByText('Version 2 · In force').waitFor();
    const versions = shown.getByRole('region', { name: 'Versions' }).getByRole('table');
    await versions.getByText('Past').waitFor();
    const history = shown.getByRole('table').filter({ hasText: number });
    await expect.poll(() => history.getByRole('row').filter({ hasText: 'Version 2' }).count()).toBe(2);
    await shown.getByRole('switch').click();
    await history.getByRole('row').filter({ hasText: 'Version 1' }).first().waitFor();
  });

  test('a change over prices that somebody else saved meanwhile keeps both', async () => {
    const page = await openEditor();
    await form(page).getByRole('spinbutton', { name: 'Valley Electricity (CNY/kWh)' }).waitFor();
    await api.ask('PUT', `/tariffs/${ruleId}`, {
      kind: 'energy',
      name,
      prices: { ...prices, valley: { electricity: 20_000, service: 42_000 } },
      slots,
    });
    const note = form(page).getByLabel('Note for riders');
    await note.fill('Cheaper at night');
    await form(page).getByRole('button', { name: /Save/ }).click();
    await form(page).getByText('Someone else changed this record while you were editing').waitFor();
    const valley = form(page).getByRole('spinbutton', { name: 'Valley Electricity (CNY/kWh)' });
    await expect.poll(() => valley.inputValue()).toMatch(/^0\.20*$/);
    expect(await note.inputValue()).toBe('Cheaper at night');
    await save(page);
    const rule = await findRule();
    expect(rule).toMatchObject({ version: 2, note: 'Cheaper at night' });
  });

  test('a version for later is named on the rule and can be cancelled until it takes effect', async () => {
    await api.ask('PUT', `/tariffs/${ruleId}`, {
      kind: 'energy',
      name,
      prices: { ...prices, valley: { electricity: 20_000, service: 42_000 } },
      slots,
      takesEffectAt: '2099-12-01T00:00:00+08:00',
    });
    const page = await walk.open(`/rules/detail?id=${ruleId}`, { language: 'en' });
    await page.getByText('Version 2 from 2099-12-01 00:00:00').waitFor();
    await page.getByRole('button', { name: 'Cancel version' }).click();
    const question = page.getByRole('dialog');
    await question.getByText(`Cancel waiting version 2 of ${name}?`).waitFor();
    await question.getByRole('button', { name: 'Cancel version' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect((await findRule())?.next).toBeNull();
  });

  test('8.2.15 a rule in use says why it cannot be deleted, and one that is not is deleted', async () => {
    const station = await api.createStation({ number: `KEPT-${made}`, siteId, tariffId: ruleId });
    const page = await walk.open(`/rules/detail?id=${ruleId}`, { language: 'en' });
    const button = page.getByRole('button', { name: 'Delete' });
    await button.waitFor();
    expect(await button.getAttribute('aria-description')).toBe('A rule in use cannot be deleted');
    await api.ask('DELETE', `/stations/${station.id}`);
    await page.reload();
    await until('the rule can be deleted', async () => (await button.getAttribute('aria-description')) === null);
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/rules\/list/);
    await until('the rule is gone', async () => (await findRule()) === undefined);
  });

  test('3.17.1 a rule becomes the platform default, is shown as such, and 8.2.16 cannot be deleted then', async () => {
    const page = await walk.open(`/rules/detail?id=${ruleId}`, { language: 'en' });
    await page.getByRole('button', { name: 'Make platform default (four-wheel)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make default' }).click();
    await page.getByText('Platform default · Four-wheel').waitFor();
    const description = await page.getByRole('button', { name: 'Delete' }).getAttribute('aria-description');
    expect(description).toBe('The system default rule cannot be deleted');
    await page.getByRole('button', { name: 'No longer platform default (four-wheel)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove default' }).click();
    await page.getByText('Platform default · Four-wheel').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Make platform default (two-wheel)' }).click();
    await page.getByRole('dialog').getByText('for Two-wheel stations?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Make default' }).click();
    await page.getByText('Platform default · Two-wheel').waitFor();
    await page.getByRole('button', { name: 'No longer platform default (two-wheel)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove default' }).click();
    await page.getByText('Platform default · Two-wheel').waitFor({ state: 'hidden' });
  });

  test('a copy starts from the rule and is a rule of its own', async () => {
    const page = await walk.open(`/rules/list?do=copy&of=${ruleId}`, { language: 'en' });
    await strip(page).waitFor();
    await form(page).getByRole('button', { name: 'Add rule' }).click();
    await form(page).waitFor({ state: 'hidden' });
    const { items } = await api.get<{ items: Tariff[] }>(`/tariffs?name=${encodeURIComponent(`${name} copy`)}`);
    expect(items).toMatchObject([{ version: 1, detail: { kind: 'energy', prices, slots } }]);
  });

  test('riders are offered up to six choices, whose amounts are mandatory', async () => {
    const page = await walk.open('/rules/list?do=add', { language: 'en' });
    await form(page).getByText('By time', { exact: true }).click();
    await form(page).getByRole('textbox', { name: 'Rule name' }).fill(`Choices ${made}`);
    await form(page).getByRole('spinbutton', { name: 'Per 60 min (CNY)' }).fill('0.3');
    await form(page).getByText('Fixed price', { exact: true }).click();
    await form(page).getByText('The chosen amount is the price').waitFor();
    expect(await form(page).getByRole('button', { name: 'Add choice' }).isDisabled()).toBe(true);
    await form(page).getByRole('button', { name: 'Remove choice 6' }).click();
    await form(page).getByRole('spinbutton', { name: 'Amount of choice 5' }).fill('');
    await form(page).getByRole('button', { name: 'Add rule' }).click();
    await form(page).getByText('The amount must be above zero').waitFor();
    await form(page).getByRole('spinbutton', { name: 'Amount of choice 5' }).fill('5');
    await form(page).getByRole('spinbutton', { name: 'Hours of choice 5' }).fill('');
    await form(page).getByRole('button', { name: 'Add rule' }).click();
    await form(page).waitFor({ state: 'hidden' });
    const { items } = await api.get<{ items: Tariff[] }>(`/tariffs?name=Choices%20${made}`);
    expect(items[0]?.detail.prepayment?.choices).toEqual([
      { amountFen: 100, hours: 2, energyWh: null },
      { amountFen: 200, hours: 4, energyWh: null },
      { amountFen: 300, hours: 6, energyWh: null },
      { amountFen: 400, hours: 8, energyWh: null },
      { amountFen: 500, hours: null, energyWh: null },
    ]);
  });

  test('power tiers say which end belongs to them, and gaps and overlaps at once', async () => {
    const page = await walk.open('/rules/list?do=add', { language: 'en' });
    await form(page).getByText('By power tier', { exact: true }).click();
    await form(page).getByRole('textbox', { name: 'Rule name' }).fill(`Bikes ${made}`);
    await form(page).getByRole('spinbutton', { name: 'Fee of tier 1' }).fill('0.2');
    await form(page).getByRole('spinbutton', { name: 'Upper limit of tier 1' }).fill('200');
    await form(page).getByText('0 W up to below 200 W', { exact: true }).waitFor();
    await form(page).getByRole('button', { name: 'Add tier' }).click();
    await form(page).getByRole('spinbutton', { name: 'Lower limit of tier 2' }).fill('250');
    await covers(page, 'Not covered: 200–250 W').waitFor();
    await form(page).getByRole('button', { name: 'Add rule' }).click();
    await form(page).getByText('Enter a fee').waitFor();
    await form(page).getByRole('spinbutton', { name: 'Fee of tier 2' }).fill('0.5');
    await form(page).getByRole('spinbutton', { name: 'Lower limit of tier 2' }).fill('150');
    await covers(page, 'Overlapping: 150–200 W').waitFor();
    await form(page).getByRole('spinbutton', { name: 'Lower limit of tier 2' }).fill('200');
    await covers(page, 'Tiers follow each other from 0 W without a gap').waitFor();
    await form(page).getByRole('button', { name: 'Add rule' }).click();
    await form(page).waitFor({ state: 'hidden' });
    const { items } = await api.get<{ items: Tariff[] }>(`/tariffs?name=Bikes%20${made}`);
    expect(items[0]?.detail).toMatchObject({
      tiers: [
        { fromW: 0, toW: 200, feeFenPerStep: 20 },
        { fromW: 200, toW: null, feeFenPerStep: 50 },
      ],
    });
  });
});
