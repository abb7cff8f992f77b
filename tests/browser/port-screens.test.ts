import { buffer } from 'node:stream/consumers';
import type { Connector } from '@voltdeck/contract/connectors';
import type { Api, Language } from '@voltdeck/journeys/api';
import { all as english } from '@voltdeck/phrases/en/all';
import { fill } from '@voltdeck/phrases/phrase';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import type { Download, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { qrTextOf } from './qr-text.ts';
import { ruleWalk } from './rule-walk.ts';

let api: Api;
let siteId = 0;
let tariffId = 0;
const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
  siteId = await api.createSite('Lakeside');
  tariffId = await api.createTariff({
    name: 'One price',
    kind: 'energy',
    prices: {
      sharp: { electricity: 70_000, service: 40_000 },
      peak: { electricity: 70_000, service: 40_000 },
      flat: { electricity: 70_000, service: 40_000 },
      valley: { electricity: 70_000, service: 40_000 },
    },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
});

const addStation = (number: string, ports = 2) => api.createStation({ number, siteId, tariffId, ports });
const portsOf = async (stationId: number) => (await api.get<{ ports: Connector[] }>(`/stations/${stationId}`)).ports;

const words = {
  'zh-CN': { more: '更多操作', move: '移动', edit: '编辑', save: '保存修改', qr: '二维码' },
  en: { more: 'More actions', move: 'Move', edit: 'Edit', save: 'Save changes', qr: 'QR code' },
} as const;

const front = (page: Page): Locator => page.getByRole('dialog').filter({ visible: true }).last();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const toast = (page: Page, text: string) => page.locator('.ant-message').getByText(text);

const openPorts = (station: string, language: Language = 'en') =>
  walk.open(`/portList?stationNumber=${station}`, { language });

/** Chooses an act of a gun port from the menu of its row. */
async function choose(page: Page, row: Locator, language: Language, act: string): Promise<Locator> {
  await row.getByRole('button', { name: words[language].more }).click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
  return front(page);
}

describe('a gun port is moved', () => {
  test.each([
    ['zh-CN', '充电桩编号或枪口号必填其一'],
    ['en', 'Station number or gun number required'],
  ] as const)('5.12.3 changing a gun requires station number or gun number, in %s', async (language, text) => {
    const number = `GUN-${language}`;
    const { id } = await addStation(number, 1);
    const page = await openPorts(number, language);
    const form = await choose(page, rowOf(page, number), language, words[language].move);
    await form.getByRole('button', { name: words[language].move, exact: true }).click();
    await form.getByText(text).waitFor();
    expect((await portsOf(id)).map((port) => port.number)).toEqual([1]);
  });

  test('a gun port is refused a number in use, and moves to another station under a free one', async () => {
    const from = await addStation('FROM-1', 1);
    const to = await addStation('TO-1', 2);
    const page = await openPorts('FROM-1');
    const form = await choose(page, rowOf(page, 'FROM-1'), 'en', words.en.move);
    const station = form.getByLabel(english['stations.moveToStation']);
    await station.fill('TO-');
    await page.locator('.ant-select-item-option').filter({ hasText: 'TO-1 · Station TO-1' }).click();
    expect(await station.inputValue()).toBe('TO-1');
    await form.getByLabel(english['stations.moveToNumber']).fill('2');
    const send = form.getByRole('button', { name: words.en.move, exact: true });
    await send.click();
    await form.getByText('Station TO-1 already has a gun port 2. Choose another number.').waitFor();
    await form.getByLabel(english['stations.moveToNumber']).fill('3');
    await send.click();
    await toast(page, 'Moved to station TO-1, port 3.').waitFor();
    await rowOf(page, 'FROM-1').waitFor({ state: 'detached' });
    expect(await portsOf(from.id)).toEqual([]);
    expect((await portsOf(to.id)).map(({ number, qrText }) => [number, qrText])).toContainEqual([3, 'TO-1-3']);
  });

  test('a gun port is not moved to a missing station, and the field says why', async () => {
    await addStation('STAYS-1', 1);
    const page = await openPorts('STAYS-1');
    const form = await choose(page, rowOf(page, 'STAYS-1'), 'en', words.en.move);
    await form.getByLabel(english['stations.moveToStation']).fill('NOWHERE');
    await form.getByRole('button', { name: words.en.move, exact: true }).click();
    const field = form.locator('.ant-form-item').filter({ hasText: english['stations.moveToStation'] });
    await field.getByText(english['field.unknown_reference']).waitFor();
  });
});

/** The item of a form with this label, where its control and its refusal stand. */
const item = (form: Locator, label: string): Locator => form.locator('.ant-form-item').filter({ hasText: label });

async function pick(form: Locator, label: string, option: string): Promise<void> {
  await form.getByLabel(label).click();
  await form.page().locator('.ant-select-item-option').filter({ hasText: option }).filter({ visible: true }).click();
}

test.each([
  ['zh-CN', '东侧快充', chinese],
  ['en', 'East side', english],
] as const)('a gun port gets its name, its bay and what its nameplate says, in %s', async (language, name, said) => {
  const number = `PLATE-${language}`;
  const { id } = await addStation(number, 1);
  const page = await openPorts(number, language);
  const form = await choose(page, rowOf(page, number), language, words[language].edit);
  const save = form.getByRole('button', { name: words[language].save });
  const field = (key: keyof typeof english) => form.getByLabel(said[key]);
  expect(await field('stations.portName').inputValue()).toBe('1');

  await field('stations.portName').fill('');
  await field('ports.ratedVoltageMin').fill('1001');
  await field('ports.ratedVoltageMax').fill('1000');
  await field('ports.ratedCurrentA').fill('2001');
  await field('ports.ratedPower').fill('0.05');
  await save.click();
  const refusals = [
    ['stations.portName', said['field.required']],
    ['ports.ratedVoltageMin', fill(said['field.above_upper_limit'], { max: 1_000 })],
    ['ports.ratedCurrentA', fill(said['field.too_big'], { max: 2_000 })],
    ['ports.ratedPower', fill(said['field.too_small'], { min: 0.1 })],
  ] as const;
  for (const [key, text] of refusals) await item(form, said[key]).getByText(text).waitFor();
  expect(await portsOf(id)).toMatchObject([{ name: '1', ratedVoltageMinV: null }]);

  // The lower limit is right as soon as the upper one is.
  await field('ports.ratedVoltageMax').fill('1200');
  await item(form, said['ports.ratedVoltageMin']).getByText(refusals[1][1]).waitFor({ state: 'detached' });
  await field('ports.ratedVoltageMin').fill('200');
  await field('stations.portName').fill(name);
  await field('ports.bayNumber').fill('B2-017');
  await pick(form, said['ports.kind'], said['connector-kind.dc_plug']);
  await pick(form, said['ports.nationalStandard'], said['national-standard.2015']);
  await field('ports.ratedCurrentA').fill('250');
  await field('ports.ratedPower').fill('120');
  await save.click();
  const row = rowOf(page, number);
  for (const text of [name, 'B2-017']) await row.getByText(text, { exact: true }).waitFor();
  const nameplate = {
    kind: 'dc_plug',
    nationalStandard: '2015',
    ratedVoltageMinV: 200,
    ratedVoltageMaxV: 1_200,
    ratedCurrentA: 250,
    ratedPowerW: 120_000,
  };
  expect(await portsOf(id)).toMatchObject([{ name, bayNumber: 'B2-017', ...nameplate }]);

  await row.getByText('B2-017').waitFor();
  const again = await choose(page, row, language, words[language].edit);
  await expect.poll(() => again.getByLabel(said['ports.ratedPower']).inputValue()).toBe('120.000');
  await again.getByLabel(said['ports.bayNumber']).fill('');
  await again.getByRole('button', { name: words[language].save }).click();
  await row.getByText('B2-017').waitFor({ state: 'detached' });
  expect(await portsOf(id)).toMatchObject([{ name, bayNumber: null, ...nameplate }]);
});

test.each([
  ['zh-CN', chinese],
  ['en', english],
] as const)(
  'gun ports are filtered by kind, and one without a rating of its own shows its station’s as such, in %s',
  async (language, said) => {
    const number = `KIND-${language}`;
    const { id } = await addStation(number, 3);
    const plates = [
      { name: 'L', kind: 'dc_plug', ratedVoltageMinV: 200, ratedVoltageMaxV: 750, ratedCurrentA: 160 },
      { name: 'M', kind: 'dc_plug' },
      { name: 'R', kind: 'ac_plug' },
    ];
    for (const [index, port] of (await portsOf(id)).entries()) {
      expect((await api.ask('PUT', `/connectors/${port.id}`, plates[index])).httpStatus).toBe(200);
    }
    await walk.database.pool.query('update stations set voltage_v = 1000, current_a = 250 where id = $1', [id]);
    const page = await openPorts(number, language);
    await page.getByRole('button', { name: said['list.columns'], exact: true }).click();
    for (const title of ['ports.kind', 'ports.ratedVoltage', 'ports.ratedCurrent'] as const) {
      const box = page.getByRole('checkbox', { name: fill(said['list.columnShow'], { title: said[title] }) });
      // The panel may still be moving to its place.
      await expect
        .poll(async () => {
          if (!(await box.isChecked())) await box.click();
          return box.isChecked();
        })
        .toBe(true);
    }
    await page.keyboard.press('Escape');
    const stations = (figure: string) => fill(said['ports.ofStation'], { figure });
    const shown = [
      ['200–750', '160', said['connector-kind.dc_plug']],
      [stations('1000'), stations('250'), said['connector-kind.dc_plug']],
      [stations('1000'), stations('250'), said['connector-kind.ac_plug']],
    ];
    for (const [index, texts] of shown.entries()) {
      for (const text of texts) await rowOf(page, number).nth(index).getByText(text, { exact: true }).waitFor();
    }
    await page.goto(`${walk.product.url}/portList?stationNumber=${number}&kind=dc_plug`);
    await rowOf(page, number).nth(1).waitFor();
    expect(await rowOf(page, number).count()).toBe(2);
    await page.getByText(said['connector-kind.dc_plug']).first().waitFor();
  },
);

test.each([
  ['zh-CN', ['关闭', '开启'], ['关闭 2 个枪口', '开启 2 个枪口'], ['已关闭 2 个枪口', '已开启 2 个枪口']],
  ['en', ['Close', 'Open'], ['Close 2 gun ports', 'Open 2 gun ports'], ['Closed 2 gun ports', 'Opened 2 gun ports']],
] as const)('chosen gun ports are closed and opened together, in %s', async (language, verbs, wholes, told) => {
  const number = `MANY-${language}`;
  const { id } = await addStation(number, 3);
  const page = await openPorts(number, language);
  const open = async () => (await portsOf(id)).map((port) => port.open);
  for (const [step, isOpen] of [false, true].entries()) {
    for (const port of [1, 3])
      await rowOf(page, number)
        .nth(port - 1)
        .getByRole('checkbox')
        .check();
    await page
      .getByRole('button', { name: verbs[step] ?? '', exact: true })
      .and(page.locator(':not([role=row] *)'))
      .click();
    await front(page)
      .getByRole('button', { name: wholes[step] ?? '', exact: true })
      .click();
    await toast(page, told[step] ?? '').waitFor();
    expect(await open()).toEqual([isOpen, true, isOpen]);
  }
});

test('the QR code of a gun port is viewed, and its picture and its vectors hold what riders scan', async () => {
  await addStation('QR-1', 2);
  const page = await openPorts('QR-1');
  const row = rowOf(page, 'QR-1').nth(1);
  await row.getByRole('button', { name: words.en.qr }).click();
  const dialog = front(page);
  await dialog.getByText('QR-1-2', { exact: true }).waitFor();
  const saved = async (button: string): Promise<Download> => {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click();
    return saving;
  };
  const picture = await saved(english['stations.qrDownload']);
  expect(picture.suggestedFilename()).toBe('QR-1-2.png');
  const png = await buffer(await picture.createReadStream());
  expect(await qrTextOf(page, png, 'image/png')).toBe('QR-1-2');
  const vectors = await saved(english['stations.qrDownloadSvg']);
  expect(vectors.suggestedFilename()).toBe('QR-1-2.svg');
  const svg = await buffer(await vectors.createReadStream());
  expect(svg.toString()).not.toContain('<image');
  expect(await qrTextOf(page, svg, 'image/svg+xml')).toBe('QR-1-2');
});
