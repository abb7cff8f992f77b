import type { FirstStep, FirstSteps } from '@voltdeck/contract/first-steps';
import type { AgentId, CardId, SiteId, StationId, TariffId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace } from '../http/test-records.ts';
import { introductionMs } from './find-first-steps.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
});
afterEach(() => api.close());

const ask = async (token?: string, query = '') => {
  const given = token === undefined ? {} : { token };
  return (await api.get<FirstSteps>(`/overview/first-steps${query}`, given)).data;
};
const doneOf = ({ steps }: FirstSteps) => steps.filter(({ isDone }) => isDone).map(({ step }): FirstStep => step);

const made = async <Id>(path: string, body: object) => (await api.post<{ id: Id }>(path, body)).data.id;
const addSite = () =>
  made<SiteId>('/sites', {
    name: 'Lake Road',
    regionCode: '330106',
    address: '1 Lake Road',
    longitude: 120.1,
    latitude: 30.2,
  });
const price = { electricity: 70_000, service: 40_000 };
const addTariff = () =>
  made<TariffId>('/tariffs', {
    kind: 'energy',
    name: 'Flat',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
const addStation = async (siteId: SiteId, number: string, cardTariffId?: TariffId) => {
  const { data } = await api.post<{ station?: { id: StationId }; id?: StationId }>('/stations', {
    number,
    name: `Station ${number}`,
    type: 'fast',
    equipmentType: 'four-wheel',
    protocol: 'ocpp1.6',
    siteId,
    connectorCount: 1,
    maxPowerKw: 60,
    ...(cardTariffId === undefined ? {} : { cardTariffId }),
  });
  return (data.station?.id ?? data.id) as StationId;
};
const goOnline = (id: StationId) =>
  api.database.pool.query('update stations set online = true, online_at = now() where id = $1', [id]);
const plugIn = (id: StationId) =>
  api.database.pool.query(`update connectors set state = 'plugged_in' where station_id = $1`, [id]);

describe('the first steps of a network', () => {
  test('an empty installation begins with the site, and each step is done when its record is there', async () => {
    const before = await ask();
    expect(before).toMatchObject({ of: 'network', state: 'open' });
    expect(before.steps.map(({ step }) => step)).toEqual([
      'site',
      'tariff',
      'station',
      'connection',
      'money',
      'charge',
    ]);
    expect(doneOf(before)).toEqual([]);

    const siteId = await addSite();
    expect(await ask()).toMatchObject({ known: { siteId, tariffId: null } });
    const tariffId = await addTariff();
    expect(await ask()).toMatchObject({ known: { siteId, tariffId } });
    expect(doneOf(await ask())).toEqual(['site', 'tariff']);

    const stationId = await addStation(siteId, 'FIRST-1', tariffId);
    const waiting = await ask();
    expect(doneOf(waiting)).toEqual(['site', 'tariff', 'station']);
    expect(waiting.known.awaitedStation).toEqual({ id: stationId, name: 'Station FIRST-1' });

    await goOnline(stationId);
    const connected = await ask();
    expect(doneOf(connected)).toContain('connection');
    expect(connected.known).toMatchObject({ awaitedStation: null, awaitedStations: 0, pluggedConnectorId: null });
    await plugIn(stationId);
    expect((await ask()).known.pluggedConnectorId).toEqual(expect.any(Number));

    expect((await ask()).known.hasPayer).toBe(false);
    const cardId = await made<CardId>('/cards', { number: 'C0FFEE0000000001' });
    expect((await ask()).known).toMatchObject({ hasPayer: true, cardId, customerId: null });
    expect(doneOf(await ask())).not.toContain('money');
    await api.post('/recharges', { cardId, amountFen: 5_000 });
    expect(doneOf(await ask())).toEqual(['site', 'tariff', 'station', 'connection', 'money']);
    await api.post('/customers', { phone: '13800000000', nickname: 'Li' });
    expect((await ask()).known).toMatchObject({ hasPayer: true, cardId: null, customerId: null });
  });

  test('a step is undone when its record goes, and a second record of a kind fills in nothing', async () => {
    const siteId = await addSite();
    expect(doneOf(await ask())).toEqual(['site']);
    const second = await addSite();
    expect((await ask()).known.siteId).toBeNull();
    for (const id of [siteId, second]) await api.ask('DELETE', `/sites/${id}`);
    expect(doneOf(await ask())).toEqual([]);
    expect((await ask()).known.siteId).toBeNull();
  });

  test('a rule that no station has is not enough: the station without one is named', async () => {
    const stationId = await addStation(await addSite(), 'FIRST-2');
    const tariffId = await addTariff();
    expect(doneOf(await ask())).toEqual(['site', 'station']);
    expect((await ask()).known).toMatchObject({ unpricedStationId: stationId, tariffId });
    await api.database.pool.query('update stations set card_tariff_id = $1', [tariffId]);
    expect(doneOf(await ask())).toEqual(['site', 'tariff', 'station']);
    expect((await ask()).known.unpricedStationId).toBeNull();
  });

  test('a card without money, a disabled one with money and money that is spent do not count', async () => {
    const cardId = await made<CardId>('/cards', { number: 'C0FFEE0000000002' });
    const recharge = await api.post<{ id: number }>('/recharges', { cardId, amountFen: 100 });
    expect(doneOf(await ask())).toEqual(['money']);
    await api.ask('PUT', `/cards/${cardId}/enabled`, { body: { enabled: false } });
    expect(doneOf(await ask())).toEqual([]);
    await api.ask('PUT', `/cards/${cardId}/enabled`, { body: { enabled: true } });
    await api.post(`/recharges/${recharge.data.id}/reversals`, { reason: 'Wrong card' });
    expect(doneOf(await ask())).toEqual([]);
  });

  test('the list leaves by itself with the first charge, and shows on request what was done', async () => {
    const place = await makePlace(api.database, null, 'runs');
    const orderId = await makeOrder(api.database, place, instant(Date.now()), { state: 'charging', ended_at: null });
    expect(await ask()).toMatchObject({ state: 'open', known: { order: { id: orderId, state: 'charging' } } });
    await api.database.pool.query(`update orders set state = 'completed', ended_at = now()`);
    const over = await ask();
    expect(over).toMatchObject({ state: 'over', steps: [], known: { order: { id: orderId, state: 'completed' } } });
    // The station of this place never connected.
    const shown = await ask(undefined, '?always=true');
    expect(shown.state).toBe('over');
    expect(doneOf(shown)).toEqual(['site', 'tariff', 'station', 'money', 'charge']);
  });

  test('a test run is no first charge, because nobody pays for it', async () => {
    const place = await makePlace(api.database, null, 'tested');
    await makeOrder(api.database, place, instant(Date.now()), asTestRun);
    const steps = await ask();
    expect(steps).toMatchObject({ state: 'open', known: { order: null } });
    expect(doneOf(steps)).not.toContain('charge');
  });

  test('whoever puts the list away gets it back on request, and others keep theirs', async () => {
    const { token } = await api.addUser({ name: 'colleague', permissions: ['overview.read'] });
    await api.ask('PUT', '/overview/first-steps/shown', { body: { shown: false } });
    expect(await ask()).toMatchObject({ state: 'hidden', steps: [] });
    expect((await ask(undefined, '?always=true')).steps).toHaveLength(6);
    expect((await ask(token)).state).toBe('open');
    await api.ask('PUT', '/overview/first-steps/shown', { body: { shown: true } });
    expect((await ask()).state).toBe('open');
  });

  test('the list is for people who see the home page', async () => {
    const { token } = await api.addUser({ name: 'till', permissions: ['recharge.create'] });
    expect((await api.get('/overview/first-steps', { token })).status).toBe(403);
    expect((await api.ask('PUT', '/overview/first-steps/shown', { token, body: { shown: false } })).status).toBe(403);
  });
});

describe('the first steps of an agent', () => {
  const addAgent = async (name: string) => {
    const agentId = await api.addAgent(name);
    const { token } = await api.addUser({
      name,
      permissions: ['overview.read', 'station.read'],
      scope: 'agent',
      agentId,
    });
    return { agentId, token };
  };
  const grow = (name: string) =>
    api.database.pool.query(`update users set created_at = now() - $1 * interval '1 ms' where user_name = $2`, [
      introductionMs,
      name,
    ]);

  test('an agent begins with what is handed over, and sees nothing of others', async () => {
    const { agentId, token } = await addAgent('beta');
    await makePlace(api.database, null, 'platform');
    const empty = await ask(token);
    expect(empty).toMatchObject({ of: 'agent', state: 'open' });
    expect(empty.steps.map(({ step }) => step)).toEqual([
      'handover',
      'tariff',
      'connection',
      'staff',
      'money',
      'charge',
    ]);
    // The rules of the platform serve all agents.
    expect(doneOf(empty)).toEqual(['tariff']);
    expect(empty.known).toMatchObject({ siteId: null, awaitedStation: null, hasPayer: false, order: null });

    const place = await makePlace(api.database, agentId, 'handed');
    const handed = await ask(token);
    expect(doneOf(handed)).toEqual(['handover', 'tariff', 'money']);
    expect(handed.known).toMatchObject({ awaitedStation: { id: place.stationId }, hasPayer: true });
    await api.addUser({ name: 'clerk', permissions: [], scope: 'agent', agentId });
    expect(doneOf(await ask(token))).toContain('staff');
    // The holder of a card that was blocked can still pay.
    const { pool } = api.database;
    await pool.query(`update cards set state = 'disabled' where id = $1`, [place.cardId]);
    expect((await ask(token)).known).toMatchObject({ hasPayer: true, cardId: null });
    await pool.query('update cards set customer_id = null where id = $1', [place.cardId]);
    expect((await ask(token)).known).toMatchObject({ hasPayer: false });
  });

  test('somebody who may not read orders, stations, cards or users sees none in the steps', async () => {
    const agentId = await api.addAgent('narrow');
    const place = await makePlace(api.database, agentId, 'narrow');
    await makeOrder(api.database, place, instant(Date.now()));
    const { token } = await api.addUser({ name: 'narrow', permissions: ['overview.read'], scope: 'agent', agentId });
    const nothing = {
      siteId: null,
      tariffId: null,
      awaitedStation: null,
      awaitedStations: 0,
      pluggedConnectorId: null,
      cardId: null,
      customerId: null,
      order: null,
    };
    for (const query of ['', '?always=true']) expect((await ask(token, query)).known).toMatchObject(nothing);
    expect((await ask(api.adminToken, '?always=true')).known).toMatchObject({ siteId: place.siteId });
  });

  test('people of an agent whose stations charge already are shown around in their first week', async () => {
    const { agentId, token } = await addAgent('gamma');
    const place = await makePlace(api.database, agentId as AgentId, 'charging');
    await makeOrder(api.database, place, instant(Date.now()));
    const first = await ask(token);
    expect(first.state).toBe('open');
    expect(doneOf(first)).toContain('charge');
    await grow('gamma');
    expect(await ask(token)).toMatchObject({ state: 'over', steps: [] });
  });
});
