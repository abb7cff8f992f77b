import { until } from '@voltdeck/journeys/until';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { VirtualStation } from '@voltdeck/simulator/virtual-station';
import { afterEach, describe, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage } from './console-page.ts';
import { hostedProduct } from './hosted-product.ts';
import {
  addSite,
  addStation,
  addTariff,
  begin,
  chooseInMenu,
  firstStep,
  firstSteps,
  goHome,
  hungryVehicle,
  inFront,
  installedStation,
  isDone,
  type NetworkWalk,
  networkWalk,
  readConnection,
  signInAs,
} from './network-walk.ts';
import { overflowFaults } from './page-faults.ts';
import { addPerson } from './people.ts';

const walkLimitMs = 240_000;
const siteName = 'Lake Road';
const cardNumber = 'C0FFEE0000000001';
/** Enough for a bill of some fen. */
const chargedWh = 100;

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

type Started = { walk: NetworkWalk; opened: BrowserPage };

/** An installation that just started, with its sign-in page open. */
async function startEmpty(
  language: NetworkWalk['language'],
  size: { width?: number; height?: number } = {},
): Promise<Started> {
  const database = await freshDatabase();
  const product = await hostedProduct(database.url);
  endings.push(
    () => database.close(),
    () => product.stop(),
  );
  const opened = await consolePage(product, { token: null, language, ...size });
  await opened.page.goto(product.url);
  return { walk: networkWalk(opened.page, language), opened };
}

async function connect(walk: NetworkWalk, help: Awaited<ReturnType<typeof addStation>>): Promise<VirtualStation> {
  const station = installedStation(await readConnection(walk, help));
  endings.push(() => station.stop());
  station.start();
  await help.getByText(walk.say('stations.connected'), { exact: true }).waitFor();
  await help
    .getByRole('button', { name: walk.say('shell.close') })
    .last()
    .click();
  await help.waitFor({ state: 'hidden' });
  return station;
}

async function issueCard(walk: NetworkWalk): Promise<void> {
  const form = await begin(walk, 'money', 'overview.do.issueCard');
  await form.locator('#number').fill(cardNumber);
  await form.getByRole('button', { name: walk.say('cards.add') }).click();
  await form.waitFor({ state: 'hidden' });
}

async function recharge(walk: NetworkWalk, amount: string): Promise<void> {
  const { say } = walk;
  const form = await begin(walk, 'money', 'overview.do.recharge');
  await form
    .getByText(say('recharges.formTitle', { target: say('recharges.targetCard', { number: cardNumber }) }))
    .waitFor();
  await form.locator('#amountFen').fill(amount);
  await form.getByText(say('recharges.questionDetails', { before: '¥0.00', after: `¥${amount}` })).waitFor();
  await form.getByRole('button', { name: say('recharges.submit', { amount: `¥${amount}` }) }).click();
  await form.waitFor({ state: 'hidden' });
}

async function startRemotely(walk: NetworkWalk): Promise<void> {
  const form = await begin(walk, 'charge', 'overview.do.start');
  expect(await form.locator('#cardNumber').inputValue()).toBe(cardNumber);
  await form.getByRole('button', { name: walk.say('stations.startVerb') }).click();
  await form.waitFor({ state: 'hidden' });
}

const hasCharged = (station: VirtualStation) =>
  until('the vehicle has charged', () => (station.connector(1).charge?.energyWh ?? 0) >= chargedWh);

/** The bill line by line, with the rule that priced it. */
async function readBill({ page, say }: NetworkWalk): Promise<void> {
  const bill = page
    .getByRole('region', { name: say('orders.bill') })
    .filter({ visible: true })
    .first();
  await bill.getByRole('row').nth(1).waitFor();
  await bill.getByText(say('orders.pricedBy', { name: say('overview.step.tariff') })).waitFor();
}

describe('from the empty console to the explained bill, by clicking', () => {
  test.each(['zh-CN', 'en'] as const)(
    'a network is set up, priced and charged at in %s',
    { timeout: walkLimitMs },
    async (language) => {
      const { walk, opened } = await startEmpty(language);
      const { page, say } = walk;
      await signInAs(walk);
      await firstSteps(walk)
        .getByText(say('overview.stepsCount', { done: 0, count: 6 }))
        .waitFor();
      await page.getByText(say('overview.emptyTitle')).waitFor();

      await addSite(walk, siteName);
      await goHome(walk);
      await isDone(walk, 'site');

      await addTariff(walk, say('overview.step.tariff'));
      await goHome(walk);
      await isDone(walk, 'tariff');

      const form = await begin(walk, 'station', 'overview.do.addStation');
      await form.getByText(siteName, { exact: true }).waitFor();
      const help = await addStation(walk, form, { number: 'FIRST-1', name: say('overview.step.station') });
      const station = await connect(walk, help);
      await goHome(walk);
      await isDone(walk, 'connection');

      await issueCard(walk);
      await goHome(walk);
      await recharge(walk, '50.00');
      await goHome(walk);
      await isDone(walk, 'money');

      station.plugIn(1, hungryVehicle());
      await firstStep(walk, 'charge').getByText(say('overview.stepText.chargePlugged')).waitFor();
      if (language === 'zh-CN') {
        await startRemotely(walk);
        await goHome(walk);
      } else {
        expect(await station.swipeCard(1, cardNumber)).toBe('started');
      }
      await firstStep(walk, 'charge').getByText(say('overview.stepText.chargeRunning')).waitFor();
      await hasCharged(station);

      if (language === 'zh-CN') {
        await firstStep(walk, 'charge')
          .getByRole('button', { name: say('overview.do.showOrder') })
          .click();
        await page.getByRole('button', { name: say('orders.stop'), exact: true }).click();
        await inFront(walk)
          .getByRole('button', { name: say('orders.stopVerb') })
          .click();
      } else {
        expect(await station.swipeCard(1, cardNumber)).toBe('stopped');
        await page.getByText(say('overview.stepsFinished')).waitFor();
        await page.getByRole('link', { name: say('overview.do.showBill') }).click();
      }
      await page.getByText(say('order-state.completed'), { exact: true }).filter({ visible: true }).first().waitFor();
      await readBill(walk);

      await goHome(walk);
      await page.getByRole('region', { name: say('overview.summary') }).waitFor();
      await firstSteps(walk).waitFor({ state: 'hidden' });
      await chooseInMenu(walk, 'menu.chargeOrderList', 'menu.orderListHistory');
      await page
        .getByRole('link', { name: /^20\d{12}/ })
        .first()
        .waitFor();
      await goHome(walk);
      await page.getByText(say('overview.stepsFinished')).waitFor({ state: 'hidden' });
      expect(opened.troubles).toEqual([]);
    },
  );
});

const actOfFirstPort = ({ page, say }: NetworkWalk, act: PhraseKey) =>
  page
    .getByRole('button', { name: new RegExp(`^${say(act)}( |$)`) })
    .filter({ visible: true })
    .first();

/** A test run of the first port, ended by hand as soon as the meter has moved, and its result. */
async function testRunPort(walk: NetworkWalk, station: VirtualStation): Promise<void> {
  const { page, say } = walk;
  await actOfFirstPort(walk, 'stations.testRun').tap();
  const drawer = inFront(walk);
  await drawer.getByText(say('testRuns.intro')).waitFor();
  await drawer.getByText('1', { exact: true }).tap();
  expect(await drawer.getByRole('spinbutton').inputValue()).toBe('1');
  expect(await overflowFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: say('testRuns.start') }).tap();
  await drawer.locator('[data-stage=charging]').waitFor();
  await drawer.getByText(say('testRuns.chargingText')).waitFor();
  await hasCharged(station);
  expect(await overflowFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: say('testRuns.stop') }).tap();
  const result = drawer.locator('[data-stage=passed]');
  await result.waitFor();
  await result.getByText(say('testRuns.passedText')).waitFor();
  await result.getByText(say('stop-reason.remote'), { exact: true }).waitFor();
  const energy = result.locator('dl > div').filter({ has: page.getByText(say('testRuns.energy'), { exact: true }) });
  expect(Number.parseFloat((await energy.locator('dd').textContent()) ?? '')).toBeGreaterThanOrEqual(chargedWh / 1_000);
  await drawer.getByRole('button', { name: say('testRuns.startAgain') }).waitFor();
  expect(await overflowFaults(page)).toEqual([]);
  await drawer
    .getByRole('button', { name: say('shell.close') })
    .first()
    .tap();
  await drawer.waitFor({ state: 'hidden' });
}

const installers = ['deviceList', 'station.create', 'station.command', 'portList', 'connector.test'] as const;

describe('what an installer does in a basement, on a phone with touch', () => {
  test.each(['zh-CN', 'en'] as const)(
    'an installer adds a station, connects it, test-runs a port and shows its QR code in %s',
    { timeout: walkLimitMs },
    async (language) => {
      const database = await freshDatabase();
      const product = await hostedProduct(database.url);
      endings.push(
        () => database.close(),
        () => product.stop(),
      );
      const api = await product.signIn();
      await api.createSite(siteName);
      const installer = await addPerson({ api, database, url: product.url }, 'installer', installers);
      const opened = await consolePage(product, { token: null, language, width: 375, height: 812, hasTouch: true });
      const { page } = opened;
      const walk = networkWalk(page, language);
      const { say } = walk;
      await page.goto(product.url);
      await signInAs(walk, installer);

      await page
        .getByRole('button', { name: new RegExp(`${say('stations.add')}$`) })
        .first()
        .tap();
      const form = inFront(walk);
      await form.locator('#siteId').tap();
      await page.locator('.ant-select-item-option').filter({ hasText: siteName }).tap();
      const help = await addStation(walk, form, { number: 'BASEMENT-1', name: 'Basement one' });
      expect(await overflowFaults(page)).toEqual([]);
      const station = await connect(walk, help);

      await chooseInMenu(walk, 'menu.device', 'menu.portList');
      await page.getByText('Basement one').filter({ visible: true }).first().waitFor();
      station.plugIn(1, hungryVehicle());
      await testRunPort(walk, station);
      await actOfFirstPort(walk, 'stations.qr').tap();
      const code = inFront(walk);
      await code.getByText(say('stations.qrTitle', { station: 'Basement one', number: 1 }), { exact: false }).waitFor();
      await code.getByRole('img').first().waitFor();
      expect(await overflowFaults(page)).toEqual([]);
      expect(station.isOnline).toBe(true);
      expect(opened.troubles).toEqual([]);
    },
  );
});
