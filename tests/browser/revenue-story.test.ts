import { type Api, signIn } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeThatEndsNow } from './charge-that-ends-now.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { chooseRecord, follow, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { addTariff, inFront, type NetworkWalk, networkWalk, signInAs } from './network-walk.ts';

const cardNumber = 'CA4D000000000091';
const customerPhone = '13800009191';
const nickname = 'Zhou Min';
const stationNumber = 'LAKE-1';
const otherStation = 'HILL-1';
const ownPassword = 'quiet-meadow-58';
const monthMs = 32 * 24 * 3_600_000;

let database: Database;
let product: HostedProduct;
let api: Api;
let station: LibraryStation;
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

type Walk = NetworkWalk & Awaited<ReturnType<typeof consolePage>>;

async function open(token: string | null): Promise<Walk> {
  const opened = await consolePage(product, { language: 'en', token });
  return { ...opened, ...networkWalk(opened.page, 'en') };
}

/** The password that is shown once. */
async function initialPasswordOf(walk: Walk): Promise<string> {
  const once = inFront(walk).filter({ hasText: walk.say('users.onceText') });
  const password = await once
    .getByText(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/)
    .first()
    .textContent();
  await press(once, walk.say('users.onceKept'));
  return password ?? '';
}

/** A person's first visit: the initial password is replaced. */
async function firstVisit(userName: string, initialPassword: string): Promise<Walk> {
  const walk = await open(null);
  const { page, say } = walk;
  await page.goto(product.url);
  await signInAs(walk, { userName, password: initialPassword });
  await page.getByLabel(say('shell.oldPassword'), { exact: true }).fill(initialPassword);
  await page.getByLabel(say('shell.newPassword'), { exact: true }).fill(ownPassword);
  await page.getByLabel(say('shell.repeatPassword'), { exact: true }).fill(ownPassword);
  await press(page, say('shell.changePassword'));
  await page.waitForURL('**/login*');
  await signInAs(walk, { userName, password: ownPassword });
  return walk;
}

const again = async (userName: string) => open(await newToken(product.url, { userName, password: ownPassword }));

const textOf = async (walk: Walk) => {
  await settled(walk);
  return (await walk.page.locator('main').filter({ visible: true }).textContent()) ?? '';
};

test('money of one charge is priced by an agent, shared by four, half refunded, settled at the end of the month, and invoiced, and each sees their own', {
  timeout: 300_000,
}, async () => {
  // The platform adds an agent, its site and its two dividers.
  const desk = await open(await newToken(product.url));
  const { page, say } = desk;
  await page.goto(`${product.url}/operatorList`);
  await press(page, say('agents.add'));
  const form = inFront(desk);
  await form.locator('#loginName').fill('lakeside');
  await form.locator('#realName').fill('Lakeside Charging');
  await form.locator('#phone').fill('13800000031');
  await form.locator('#sharePercent').fill('80');
  await press(form, say('agents.add'));
  const passwords = { agent: await initialPasswordOf(desk), property: '', investor: '' };
  const { items: agents } = await api.get<{ items: { id: number }[] }>('/agents?loginName=lakeside');
  const agentId = agents[0]?.id;
  const place = {
    regionCode: '330106',
    address: '1 Lake Road',
    longitude: 120.13,
    latitude: 30.26,
    invoiceAvailable: true,
  };
  const { id: siteId } = await api.post<{ id: number }>('/sites', { ...place, name: 'Lakeside', agentId });
  const { id: otherSite } = await api.post<{ id: number }>('/sites', { ...place, name: 'Hillside' });
  const charger = {
    type: 'fast',
    equipmentType: 'four-wheel',
    protocol: 'ocpp1.6',
    connectorCount: 1,
    maxPowerKw: 120,
  };
  const added = await api.post<{ id: number; password: string }>('/stations', {
    ...charger,
    number: stationNumber,
    name: 'Lake',
    siteId,
  });
  await api.post('/stations', { ...charger, number: otherStation, name: 'Hill', siteId: otherSite });
  await api.ask('PUT', '/share-terms/default', {
    electricityPercent: 0,
    servicePercent: 10,
    occupancyPercent: 0,
    channelFeePercent: 0,
  });
  for (const [name, electricity, service] of [
    ['property', '10', '20'],
    ['investor', '30', '30'],
  ] as const) {
    await page.goto(`${product.url}/accountChildren`);
    await press(page, say('dividers.add'));
    const divider = inFront(desk);
    await divider.locator('#name').fill(`The ${name}`);
    await divider.locator('#loginName').fill(name);
    await chooseRecord(page, divider, '#agentId', 'Lakeside Charging');
    await press(divider, say('dividers.add'));
    passwords[name] = await initialPasswordOf(desk);
    await follow(page, page.getByRole('link', { name: `The ${name}`, exact: true }));
    await press(page, say('dividers.addTerms'));
    const terms = inFront(desk);
    await chooseRecord(page, terms, '#siteId', 'Lakeside');
    await terms.locator('#electricityPercent').fill(electricity);
    await terms.locator('#servicePercent').fill(service);
    await press(terms, say('dividers.addTerms'));
    await terms.waitFor({ state: 'hidden' });
  }

  // The agent prices its station.
  const agent = await firstVisit('lakeside', passwords.agent);
  await agent.page.waitForURL('**/home');
  await addTariff(agent, 'Lakeside all day');
  const agentApi = await signIn(product.url, { userName: 'lakeside', password: ownPassword });
  const { items: rules } = await agentApi.get<{ items: { id: number; name: string }[] }>('/tariffs');
  const cardTariffId = rules.find(({ name }) => name === 'Lakeside all day')?.id;
  await agentApi.post('/station-changes', { kind: 'set-card-rule', stationIds: [added.id], cardTariffId });

  // A customer charges 20.03 kWh for ¥14.02 and ¥8.01, and is given back half.
  station = await libraryStation(product.ocppUrl, { number: stationNumber, password: added.password });
  const { id: customerId } = await api.post<{ id: number }>('/customers', { phone: customerPhone, nickname });
  await api.post('/cards', { number: cardNumber, customerId });
  await api.recharge({ cardNumber }, 50_000);
  const order = await chargeThatEndsNow(api, { id: added.id, number: stationNumber, cardNumber, station });
  await station.close();
  await page.goto(`${product.url}/orderListDetailHistory?id=${order.id}`);
  await press(page, say('orders.refund'));
  await inFront(desk).locator('#amountFen').fill('11');
  await inFront(desk).locator('#reason').fill('The gun came loose');
  await press(inFront(desk), say('orders.refundVerbAmount', { amount: '¥11.00' }));
  await page.getByText('¥11.00').nth(1).waitFor();
  expect(await textOf(desk)).toContain('Lakeside Charging');

  // They are settled with by hand, and the month ends.
  const { items: dividers } = await api.get<{ items: { id: number }[] }>('/dividers');
  for (const party of [{ agentId }, ...dividers.map(({ id }) => ({ dividerId: id }))]) {
    const answer = await api.ask('PUT', '/settlement-terms', { ...party, cycle: 'm1', settlesItself: false });
    expect(answer.httpStatus).toBe(200);
  }
  await page.goto(`${product.url}/settlementList`);
  await rowOf(page, 'Lakeside Charging').getByText('4.81').waitFor();
  await desk.close();
  await agent.close();
  await product.stop();
  expect(product.errors).toEqual([]);
  product = await hostedProduct(database.url, {}, monthMs);
  api = await product.signIn();

  const later = await open(await newToken(product.url));
  await later.page.goto(`${product.url}/settlementList`);
  await rowOf(later.page, 'The investor').getByText('2.56').waitFor();
  for (const act of ['settlements.closeMany', 'settlements.payOutMany'] as const) {
    const parties = ['Lakeside Charging', 'The property', ...(act === 'settlements.closeMany' ? ['The investor'] : [])];
    for (const party of parties) await rowOf(later.page, party).getByRole('checkbox').check();
    await press(later.page, say(act));
    await press(inFront(later), say(act));
    await later.page
      .getByText(say('settlements.manyDone', { done: String(parties.length) }))
      .first()
      .waitFor();
    await settled(later);
  }
  await rowOf(later.page, 'The property').getByText(say('settlement-state.paid_out')).waitFor();
  // One by itself: how much goes to whom is asked, and told.
  await follow(later.page, rowOf(later.page, 'The investor').getByRole('link', { name: 'The investor' }));
  await press(later.page, say('settlements.payOut'));
  await inFront(later)
    .getByText(/The investor.*¥2\.56|¥2\.56.*The investor/)
    .first()
    .waitFor();
  await press(inFront(later), say('settlements.payOut'));
  await later.page
    .getByText(say('settlements.paidOut', { party: 'The investor', amount: '¥2.56' }))
    .first()
    .waitFor();
  await settled(later);

  // How a party is settled with is changed from its period, and the question survives a reload.
  await later.page.goto(`${product.url}/settlementList`);
  await follow(later.page, rowOf(later.page, 'The property').getByRole('link'));
  await press(later.page, say('settlements.change'));
  const settling = later.page.getByRole('dialog', { name: say('settlements.changeTitle', { party: 'The property' }) });
  await settling.waitFor();
  await later.page.reload();
  await settling.getByText(say('settlement-cycle.t7')).click();
  await press(settling, say('settlements.change'));
  await later.page.getByText(say('settlements.changed', { party: 'The property' })).waitFor();
  expect(await later.page.getByText(say('list.recordGone')).count()).toBe(0);

  // What was paid is invoiced.
  await api.post('/invoices', { orderIds: [order.id], titleKind: 'personal', title: nickname });
  await later.page.goto(`${product.url}/invoiceList`);
  const invoice = rowOf(later.page, nickname);
  await invoice.getByText('11.03').first().waitFor();
  await press(invoice, say('invoices.pass'));
  await press(inFront(later), say('invoices.pass'));
  await invoice.getByText(say('invoice-state.invoiced'), { exact: true }).first().waitFor();

  await later.page.goto(`${product.url}/orderListDetailHistory?id=${order.id}`);
  await later.page.getByRole('cell', { name: '4.81' }).first().waitFor();
  const whole = await textOf(later);
  expect(whole).toContain(`${say('orders.account.agent-share')} Lakeside Charging`);
  expect(whole).toContain(`${say('orders.account.divider-share')} The investor`);
  for (const part of ['Lakeside Charging', 'The property', 'The investor', '1.14', '2.56', '2.12']) {
    expect(whole).toContain(part);
  }
  await later.close();

  // The agent sees its order and what it and its dividers got, and nothing of the platform's other site.
  const agentLater = await again('lakeside');
  await agentLater.page.goto(`${product.url}/settlementList`);
  await rowOf(agentLater.page, 'Lakeside Charging').getByText('4.81').first().waitFor();
  await agentLater.page.goto(`${product.url}/tixianRecods`);
  await agentLater.page.getByText('¥4.81').first().waitFor();
  await agentLater.page.goto(`${product.url}/orderListHistory?time=placed`);
  await agentLater.page.getByText(order.number).first().waitFor();
  await agentLater.page.goto(`${product.url}/deviceList`);
  await agentLater.page.getByText(stationNumber).first().waitFor();
  expect(await textOf(agentLater)).not.toContain(otherStation);
  for (const path of ['/shareTerms', '/reconciliationList', '/ledgerList']) {
    await agentLater.page.goto(product.url + path);
    await agentLater.page.waitForURL('**/home');
  }
  await agentLater.close();

  // Each divider sees its own income of the order, and neither the customer nor anybody else's part.
  for (const [name, amount, others] of [
    ['property', '¥1.14', ['¥2.56', '¥4.81', 'The investor']],
    ['investor', '¥2.56', ['¥1.14', '¥4.81', 'The property']],
  ] as const) {
    const divider = await firstVisit(name, passwords[name]);
    await divider.page.waitForURL('**/dividerIncome');
    await divider.page.getByText(amount).first().waitFor();
    await divider.page.getByText(order.number).first().waitFor();
    const seen = await textOf(divider);
    for (const secret of [cardNumber, customerPhone, nickname, ...others]) expect(seen).not.toContain(secret);
    await divider.close();
  }
});
