import { libraryStation, tellFree } from '@voltdeck/journeys/library-station';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { inFront, networkWalk } from './network-walk.ts';
import { overflowFaults } from './page-faults.ts';

let product: HostedProduct;
let token: string;
let siteId: number;
const endings: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  token = await newToken(product.url);
  siteId = await (await product.signIn()).createSite('Lakeside');
});
afterAll(async () => {
  for (const end of endings) await end();
  await product.stop();
  expect(product.errors).toEqual([]);
});

const tiers = [{ fromW: 0, toW: null, feeFenPerStep: 30 }];
const choices = [{ amountFen: 200, hours: 2 }, { amountFen: 400, hours: 4, energyWh: 2_000 }, { amountFen: 900 }];

test.each([
  ['zh-CN', 1_440, '3', '¥4.00 · 4 小时 · 2.00 度', '¥9.00 · 充满为止'],
  ['en', 375, '4', '¥4.00 · 4 h · 2.00 kWh', '¥9.00 · until full'],
] as const)(
  'a charge at a rule with choices is started with one of them, as the rule has it now, in %s at %i pixels',
  async (language, width, digit, second, last) => {
    const api = await product.signIn();
    const cardNumber = `200000000000000${digit}`;
    const cardId = await api.createCard(cardNumber, 1_000);
    const rule = { kind: 'hour', name: `Choices ${digit}`, tiers, prepayment: { kind: 'prepaid', choices } };
    const { id: tariffId } = await api.post<{ id: number }>('/tariffs', rule);
    const number = `CHOICES-${digit}`;
    const { password } = await api.createStation({ number, siteId, tariffId, ports: 1 });
    const station = await libraryStation(product.ocppUrl, { number, password });
    endings.push(() => station.close());
    await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L2' });
    await tellFree(station);
    const opened = await consolePage(product, { token, language, width });
    const { page } = opened;
    await page.goto(`${product.url}/portList?stationNumber=${number}`);
    const walk = networkWalk(page, language);
    const { say } = walk;
    await page
      .getByRole('button', { name: new RegExp(`^${say('stations.start')}`) })
      .filter({ visible: true })
      .first()
      .click();
    const form = inFront(walk);
    await form.locator('#cardNumber').fill(cardNumber);
    await form.getByText(say('stations.choice-prepaid')).waitFor();
    await settled(opened);
    await form.getByRole('button', { name: say('stations.startVerb') }).click();
    await form.getByText(say('field.required')).waitFor();

    const choose = async (label: string) => {
      await form.locator('#choiceAt').click();
      await page.getByRole('option', { name: label }).or(page.getByTitle(label)).last().click();
    };
    await choose(last);
    // Meanwhile somebody makes it dearer.
    const dearer = [choices[0], choices[1], { amountFen: 950 }];
    const changed = { ...rule, prepayment: { kind: 'prepaid', choices: dearer } };
    expect((await api.ask('PUT', `/tariffs/${tariffId}`, changed)).httpStatus).toBe(200);
    await form.getByRole('button', { name: say('stations.startVerb') }).click();
    await form.getByText(say('error.order.choice_changed')).waitFor();
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 1_000 });
    await choose(second);
    expect(await overflowFaults(page)).toEqual([]);
    await form.getByRole('button', { name: say('stations.startVerb') }).click();
    await form.waitFor({ state: 'hidden' });
    expect(await api.balanceOf({ cardId })).toMatchObject({ balanceFen: 600, heldFen: 400 });
    expect(opened.troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
  },
);
