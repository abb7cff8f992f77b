import type { FirstStep } from '@voltdeck/contract/first-steps';
import type { Language } from '@voltdeck/journeys/api';
import { adminPassword } from '@voltdeck/journeys/product';
import { all as english } from '@voltdeck/phrases/en/all';
import { fill, type PhraseKey, type PhraseParams } from '@voltdeck/phrases/phrase';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import { regionTable } from '@voltdeck/regions/region-table';
import { pathOf } from '@voltdeck/regions/regions';
import { steadyVehicle } from '@voltdeck/simulator/charging-curve';
import { VirtualStation } from '@voltdeck/simulator/virtual-station';
import { periods } from '@voltdeck/tariffs/tariff';
import type { Locator, Page } from 'playwright-core';
import { leave } from './console-page.ts';

const texts: Readonly<Record<Language, Readonly<Record<PhraseKey, string>>>> = { 'zh-CN': chinese, en: english };

/** A person who sets up a network by clicking, in one language. */
export type NetworkWalk = {
  page: Page;
  say: (key: PhraseKey, params?: PhraseParams) => string;
  language: Language;
};

export function networkWalk(page: Page, language: Language): NetworkWalk {
  return { page, language, say: (key, params) => fill(texts[language][key], params) };
}

export async function signInAs(
  { page }: NetworkWalk,
  who: { userName: string; password: string } = { userName: 'admin', password: adminPassword },
): Promise<void> {
  await page.locator('#user-name').fill(who.userName);
  await page.locator('#password').fill(who.password);
  await page.locator('button[type=submit]').click();
}

/** Chooses a screen in the menu, which a phone shows on request, and waits until it is shown. */
export async function chooseInMenu({ page, say }: NetworkWalk, ...names: readonly PhraseKey[]): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 992;
  if (isPhone) await page.getByRole('button', { name: say('shell.openSidebar') }).click();
  const menu = page.getByRole('navigation', { name: say('shell.mainMenu') }).filter({ visible: true });
  for (const [index, name] of names.entries()) {
    const isGroup = index < names.length - 1;
    const item = menu.getByRole('menuitem', { name: say(name), exact: true }).first();
    if (isGroup && (await item.getAttribute('aria-expanded')) === 'true') continue;
    const isHere = (await item.getAttribute('class'))?.includes('ant-menu-item-selected') ?? false;
    if (isGroup || isHere) await item.click();
    else await leave(page, () => item.click());
  }
}

export const goHome = (walk: NetworkWalk) => chooseInMenu(walk, 'menu.home');

/** The platform's first steps, or an agent's. */
export const firstSteps = ({ page, say }: NetworkWalk) =>
  page
    .getByRole('region', { name: say('overview.steps'), exact: true })
    .or(page.getByRole('region', { name: say('overview.stepsOfAgent'), exact: true }));

export const firstStep = (walk: NetworkWalk, step: FirstStep) => firstSteps(walk).locator(`[data-step=${step}]`);

/** Waits until the list of first steps has a step as done. */
export async function isDone(walk: NetworkWalk, step: FirstStep): Promise<void> {
  await firstSteps(walk).locator(`[data-step=${step}][data-done=true]`).waitFor();
}

/** The form or question in front. */
export const inFront = ({ page }: Pick<NetworkWalk, 'page'>): Locator =>
  page.getByRole('dialog').filter({ visible: true }).last();

/** Opens a step's form from the home page. */
export async function begin(walk: NetworkWalk, step: FirstStep, button: PhraseKey): Promise<Locator> {
  await firstStep(walk, step)
    .getByRole('button', { name: walk.say(button) })
    .click();
  const form = inFront(walk);
  await form.waitFor();
  return form;
}

export const regionCode = '330106';

export async function addSite(walk: NetworkWalk, name: string): Promise<void> {
  const { page, language, say } = walk;
  const form = await begin(walk, 'site', 'overview.do.addSite');
  await form.locator('#name').fill(name);
  await form.locator('#regionCode').click();
  for (const region of pathOf(regionTable, regionCode)) {
    await page
      .locator('.ant-cascader-menu-item')
      .filter({ visible: true })
      .getByText(language === 'en' ? region.en : region.zh, { exact: true })
      .click();
  }
  await form.locator('#address').fill(language === 'en' ? '1 Wensan Road' : '文三路 1 号');
  await pickOnMap(walk, form);
  await form.getByRole('button', { name: say('sites.add'), exact: true }).click();
  await form.waitFor({ state: 'hidden' });
}

/** Clicks the middle of the map, which the region has moved to. */
async function pickOnMap({ page, say }: NetworkWalk, form: Locator): Promise<void> {
  const map = form.getByRole('application', { name: say('position.pick') });
  await map.locator('canvas').first().waitFor();
  await map.scrollIntoViewIfNeeded();
  await map.click();
  await page.waitForFunction(() => {
    const degrees = document.querySelector<HTMLInputElement>('#longitude');
    return degrees !== null && Number(degrees.value) > 100;
  });
}

/** A rule with the same prices in all four periods, so that a bill is known at any hour. */
export async function addTariff(walk: NetworkWalk, name: string): Promise<void> {
  const form = await begin(walk, 'tariff', 'overview.do.addTariff');
  await form.locator('#name').fill(name);
  for (const period of periods) {
    await form.locator(`#prices_${period}_electricity`).fill('0.7');
    await form.locator(`#prices_${period}_service`).fill('0.4');
  }
  await form.getByRole('button', { name: walk.say('tariffs.add'), exact: true }).click();
  await form.waitFor({ state: 'hidden' });
}

export type Connection = { url: string; number: string; password: string };

/** Adds a station by the form in front; its connection help opens by itself. */
export async function addStation(walk: NetworkWalk, form: Locator, station: { number: string; name: string }) {
  await form.locator('#number').fill(station.number);
  await form.locator('#name').fill(station.name);
  await form.getByRole('button', { name: walk.say('stations.add'), exact: true }).click();
  const help = inFront(walk).filter({ hasText: walk.say('stations.stepsTitle') });
  await help.waitFor();
  return help;
}

/** What the connection help shows, which is all that an installer has. */
export async function readConnection({ say }: NetworkWalk, help: Locator): Promise<Connection> {
  const copy = `${say('shell.copy')} `;
  const read = async (label: PhraseKey) => {
    const line = help.locator('dl > div').filter({ has: help.page().getByText(say(label), { exact: true }) });
    const told = await line.locator('button[aria-label]').first().getAttribute('aria-label');
    if (told === null || !told.startsWith(copy)) throw new Error(`nothing to copy beside ${say(label)}`);
    return told.slice(copy.length);
  };
  return {
    url: await read('stations.address'),
    number: await read('stations.identity'),
    password: await read('stations.password'),
  };
}

/** A charger that an installer sets up with what the connection help shows. */
export function installedStation({ url, number, password }: Connection): VirtualStation {
  const server = url.endsWith(`/${number}`) ? url.slice(0, -number.length - 1) : url;
  return new VirtualStation({
    url: server,
    number,
    password,
    connectors: 2,
    kind: 'dc',
    maxPowerKw: 120,
    configuration: { MeterValueSampleInterval: '1' },
  });
}

/** A vehicle that takes all that the station gives. */
export const hungryVehicle = () => steadyVehicle(120_000);
