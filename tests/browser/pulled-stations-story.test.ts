import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { liveClock } from '@voltdeck/simulator/clock';
import { type Bench, openBench } from '@voltdeck/simulator/tcec/bench';
import { demandKeys, operatorKeys, testSettings } from '@voltdeck/simulator/tcec/test-benches';
import type { PartnerId } from '@voltdeck/units/id';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage, goTo, newToken, settled } from './console-page.ts';
import { chooseRecord, follow, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, type NetworkWalk, networkWalk } from './network-walk.ts';
import { accessibilityFaults } from './page-faults.ts';

const name = 'Harbour Mobility';
const site = { name: 'Bench 1', code: 'BENCH001' };
const station = 'BENCH00101';
const port = 'BENCH0010102';

/** Another operator on a socket of its own, with two sites, each with one station of two gun ports. */
let operator: Bench;
let product: HostedProduct;
let api: Api;
let partnerId: PartnerId;
let opened: BrowserPage;
let walk: NetworkWalk;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  const settings = testSettings('operator', { url: `${product.url}/evcs/v1.0` });
  operator = await openBench(settings, liveClock());
  await database.pool.query(`update configs set value = $1 where key = 'own_operator_id'`, [settings.theirOperatorId]);
  api = await product.signIn();
  const partner = { operatorId: settings.operatorId, name, role: 'infrastructure', baseUrl: operator.url };
  const keys = { inbound: demandKeys, outbound: operatorKeys };
  partnerId = (await api.post<{ id: PartnerId }>('/partners', { ...partner, ...keys })).id;
  opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  walk = networkWalk(opened.page, 'en');
});
afterAll(async () => {
  await opened.close();
  await operator.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** The panel of the partner's page that tests the connection, after a test that came out so. */
async function testConnection(outcome: 'connection.passed' | 'connection.failed'): Promise<Locator> {
  const { page, say } = walk;
  const panel = page.getByRole('region', { name: say('connection.panel') }).filter({ visible: true });
  await panel.getByRole('button').click();
  await panel.getByText(say(outcome), { exact: true }).waitFor();
  return panel;
}

/** What each step of the test says, in order. */
const stepsOf = (panel: Locator) => panel.getByRole('listitem').allInnerTexts();

test('a test of the connection shows every step that the other operator passed', async () => {
  const { page, say } = walk;
  await chooseInMenu(walk, 'menu.hlht', 'menu.supOperatorList');
  await follow(page, page.getByRole('link', { name }));
  const steps = await stepsOf(await testConnection('connection.passed'));
  expect(steps).toHaveLength(4);
  for (const [index, step] of (['address', 'signature', 'token', 'stations'] as const).entries()) {
    expect(steps[index]).toContain(say(`connection-step.${step}`));
    expect(steps[index]).toContain(say('step-outcome.passed'));
  }
  expect(steps[3]).toContain(say('connection.stationsShown', { count: 2 }));
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a sync by hand brings the sites of the operator, and links lead on to their equipment and connectors', async () => {
  const { page, say } = walk;
  await chooseInMenu(walk, 'menu.hlht', 'menu.stationList');
  await page.getByText(say('told.siteEmpty'), { exact: true }).filter({ visible: true }).waitFor();
  await press(page, say('pulls.now'));
  await chooseRecord(page, inFront(walk), '#partnerId', name);
  await press(inFront(walk), say('pulls.now'));
  await page.getByText(say('pulls.begun', { name })).waitFor();

  const pulled = rowOf(page, site.code, site.name);
  await pulled.waitFor();
  await rowOf(page, 'BENCH002').waitFor();
  await page.getByText(say('pull-state.done'), { exact: true }).first().waitFor();
  await follow(page, pulled.getByRole('link', { name: '1', exact: true }));

  const equipment = rowOf(page, station, site.code);
  await equipment.waitFor();
  expect(await rowOf(page, 'BENCH002').count()).toBe(0);
  await follow(page, equipment.getByRole('link', { name: '2', exact: true }));

  const connector = rowOf(page, port, station);
  await connector.getByText(say('connector-state.plugged_in'), { exact: true }).waitFor();
  expect(await rowOf(page, 'BENCH002').count()).toBe(0);
});

test('with a wrong key the test of the connection names the step that failed, why, and what to do', async () => {
  const { page, say } = walk;
  const wrong = { ...operatorKeys, sigSecret: 'not-what-they-issued' };
  await api.post(`/partners/${partnerId}/key-rotations`, { direction: 'outbound', keys: wrong, overlapHours: 0 });
  await chooseInMenu(walk, 'menu.home');
  await goTo(page, `/supOperatorDetail?id=${partnerId}`);
  // Its refusal is signed with the key that we do not have.
  const [address, signature, token, stations] = await stepsOf(await testConnection('connection.failed'));
  expect(address).toContain(say('step-outcome.passed'));
  expect(signature).toContain(say('connection-step.signature'));
  expect(signature).toContain(say('step-outcome.failed'));
  expect(signature).toContain(say('partner-fault.wrong_signature'));
  expect(signature).toContain(say('partner-advice.wrong_signature'));
  for (const after of [token, stations]) expect(after).toContain(say('step-skipped.failed_before'));
});
