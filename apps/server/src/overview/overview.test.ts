import type { Connector } from '@voltdeck/contract/connectors';
import {
  type listRegionSites,
  type listRegionTallies,
  type listWallPorts,
  type MapSite,
  regionSitesUsual,
  type SitePlaces,
  summaryKeptMs,
  wallPortsMax,
} from '@voltdeck/contract/overview';
import type { AnswerOf } from '@voltdeck/contract/route';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { ConnectorId, OrderId, SiteId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, type Place } from '../http/test-records.ts';
import type { Summary } from './queries.ts';

type Regions = AnswerOf<typeof listRegionTallies>;
type Sites = AnswerOf<typeof listRegionSites>;
type Wall = AnswerOf<typeof listWallPorts>;

let api: TestApi;
/** Two agents' places in Hangzhou, and one of the platform in Shenzhen. */
let lake: Place;
let hill: Place;
let bay: Place;
let lakeToken: string;
/** May look at the home page and at nothing else. */
let guestToken: string;
let orderId: OrderId;
let now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  const [one, two] = [await api.addAgent('one'), await api.addAgent('two')];
  lake = await makePlace(api.database, one, 'lake');
  hill = await makePlace(api.database, two, 'hill');
  bay = await makePlace(api.database, null, 'bay');
  await setSite(hill.siteId, { region_code: '330102' });
  await setSite(bay.siteId, { region_code: '440305' });
  await api.database.db.updateTable('stations').set({ online: true }).execute();
  await api.database.db.updateTable('connectors').set({ state: 'free', state_at: now }).execute();
  await setPort(hill, 1, { state: 'fault', fault_code: 'GroundFailure' });
  await setPort(lake, 1, { state: 'charging' });
  orderId = await makeOrder(api.database, lake, instant(now - 20 * minuteMs), {
    state: 'charging',
    payment_state: 'unpaid',
    ended_at: null,
    settled_at: null,
    power_w: watts(58_300),
    soc_percent: 61,
    energy_wh: wattHours(18_240),
  });
  const agent = { scope: 'agent', agentId: one } as const;
  lakeToken = (
    await api.addUser({ name: 'lake', permissions: ['overview.read', 'order.read', 'connector.read'], ...agent })
  ).token;
  guestToken = (await api.addUser({ name: 'guest', permissions: ['overview.read'], scope: 'platform' })).token;
});
afterAll(() => api.close());
beforeEach(() => later());

/** A kept answer is as old as it may be. */
function later(): void {
  now = instant(now + summaryKeptMs);
  api.clock.now = now;
}

const setSite = (id: SiteId, values: { region_code?: string; name?: string }) =>
  api.database.db.updateTable('sites').set(values).where('id', '=', id).execute();
const setPort = (
  { stationId }: Place,
  number: number,
  values: { state?: Connector['state']; name?: string; fault_code?: string; state_at?: Instant },
) =>
  api.database.db
    .updateTable('connectors')
    .set(values)
    .where('station_id', '=', stationId)
    .where('number', '=', number)
    .execute();

const regions = async (query = '', token?: string) =>
  (await api.get<Regions>(`/overview/regions${query}`, token === undefined ? {} : { token })).data.regions;
const sites = async (query = '', token?: string) =>
  (await api.get<Sites>(`/overview/region-sites${query}`, token === undefined ? {} : { token })).data;
const wall = async (query = '', token?: string) =>
  (await api.get<Wall>(`/overview/ports${query}`, token === undefined ? {} : { token })).data;

test('orders, energy and what is receivable of today leave out test runs, which are no sales, and coupons', async () => {
  const summary = async () => (await api.get<Summary>('/overview/summary')).data;
  const at = instant(now - minuteMs);
  const before = await summary();
  await makeOrder(api.database, bay, at, { ...asTestRun, ended_at: at });
  later();
  expect(await summary()).toEqual(before);
  await makeOrder(api.database, bay, at, { ended_at: at, discount_fen: fen(300), paid_fen: fen(800) });
  later();
  const after = await summary();
  expect(after).toMatchObject({
    todayOrders: before.todayOrders + 1,
    todayEnergyWh: before.todayEnergyWh + 10_000,
    todayReceivableFen: before.todayReceivableFen + 800,
  });
  const screen = await api.get<{ now: { today: { receivableFen: number } } }>('/overview/screen');
  expect(screen.data.now.today.receivableFen).toBe(after.todayReceivableFen);
});

describe('the tree of regions', () => {
  test('the tree has the provinces with sites, and those with faults first', async () => {
    expect(await regions()).toEqual([
      { code: '330000', name: '浙江省', sites: 2, connectors: { free: 2, occupied: 1, fault: 1, offline: 0 } },
      { code: '440000', name: '广东省', sites: 1, connectors: { free: 2, occupied: 0, fault: 0, offline: 0 } },
    ]);
  });

  test('a region of the tree opens into the regions one level below, down to the counties', async () => {
    const codes = async (code: string) => (await regions(`?regionCode=${code}`)).map((region) => region.code);
    expect(await codes('330000')).toEqual(['330100']);
    expect(await codes('330100')).toEqual(['330102', '330106']);
    expect(await codes('330106')).toEqual([]);
    expect([await codes('33'), await codes('3301')]).toEqual([['330100'], ['330102', '330106']]);
  });

  test('regions have their names in the language of the caller', async () => {
    const { data } = await api.get<Regions>('/overview/regions?regionCode=440000', { language: 'en' });
    expect(data.regions.map(({ name }) => name)).toEqual(['Shenzhen City']);
  });

  test('a site abroad and a site of a city itself are in the tree', async () => {
    await setSite(bay.siteId, { region_code: '970201' });
    later();
    expect((await regions()).map(({ code }) => code)).toEqual(['330000', '900000']);
    await setSite(bay.siteId, { region_code: '440300' });
    later();
    const { data } = await api.get<Regions>('/overview/regions?regionCode=440300');
    expect(data).toEqual({ regions: [], ownSites: 1 });
    expect((await sites('?regionCode=4403&own=true')).items).toMatchObject([{ id: bay.siteId }]);
    expect((await sites('?regionCode=330100&own=true')).items).toEqual([]);
    expect((await sites('?regionCode=440300&own=true')).items).toMatchObject([{ id: bay.siteId }]);
    await setSite(bay.siteId, { region_code: '440305' });
  });

  test('an agent’s tree counts the sites of that agent alone', async () => {
    expect(await regions('', lakeToken)).toMatchObject([{ code: '330000', sites: 1, connectors: { fault: 0 } }]);
    expect((await sites('', lakeToken)).items).toMatchObject([{ id: lake.siteId }]);
    expect((await wall('', lakeToken)).items.map(({ siteId }) => siteId)).toEqual([lake.siteId, lake.siteId]);
    expect((await wall(`?siteId=${hill.siteId}`, lakeToken)).items).toEqual([]);
  });
});

describe('the sites of a region', () => {
  test('sites in trouble come before the others, then by name', async () => {
    const { items, matching, total } = await sites();
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      [hill.siteId, 'fault'],
      [lake.siteId, 'charging'],
      [bay.siteId, 'free'],
    ]);
    expect([matching, total]).toEqual([3, 3]);
  });

  test('sites are found by words of their name and address', async () => {
    expect((await sites('?text=lake%20road')).matching).toBe(3);
    expect((await sites('?text=SITE%20bay')).items).toMatchObject([{ id: bay.siteId }]);
    expect(await sites('?text=nowhere')).toEqual({ items: [], matching: 0, total: 3 });
  });

  test('a renamed site has its new name at the next reading', async () => {
    await setSite(bay.siteId, { name: 'Site cove' });
    later();
    expect((await sites('?regionCode=440305')).items).toMatchObject([{ name: 'Site cove' }]);
    await setSite(bay.siteId, { name: 'Site bay' });
  });

  test('a stretch of many sites is bounded, and reaches a site that was asked for', async () => {
    const { db } = api.database;
    const many = Array.from({ length: regionSitesUsual + 30 }, (_, index) => ({
      name: `Hall ${String(index).padStart(3, '0')}`,
      region_code: '650102',
      address: 'Road',
      longitude: 87,
      latitude: 43,
    }));
    const made = await db.insertInto('sites').values(many).returning('id').execute();
    later();
    const last = made.at(-1)?.id;
    const first = await sites('?regionCode=650000');
    expect([first.items.length, first.matching]).toEqual([regionSitesUsual, many.length]);
    const more = await sites(`?regionCode=650000&count=${many.length}`);
    expect(more.items.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
    const reaching = await sites(`?regionCode=650000&reaching=${last}`);
    expect(reaching.items.at(-1)?.id).toBe(last);
    await db
      .deleteFrom('sites')
      .where(
        'id',
        'in',
        made.map(({ id }) => id),
      )
      .execute();
  });
});

describe('the places of the map', () => {
  test('the columns of the map name the same sites as the list, in the same order', async () => {
    const { data: places } = await api.get<SitePlaces>('/overview/site-places');
    const { data: all } = await api.get<MapSite[]>('/overview/sites');
    expect(all.map((site) => [site.id, site.name, site.regionCode, site.longitude, site.latitude])).toEqual(
      places.ids.map((id, index) => [
        id,
        places.names[index],
        places.regionCodes[index],
        places.longitudes[index],
        places.latitudes[index],
      ]),
    );
    expect(
      all.flatMap(({ connectors: { free, occupied, fault, offline } }) => [free, occupied, fault, offline]),
    ).toEqual(places.ports);
  });

  test('the revision of the places changes when a site is renamed, and not when a port changes', async () => {
    const revision = async () => {
      later();
      return (await api.get<SitePlaces>('/overview/site-states')).data.revision;
    };
    const before = await revision();
    await setPort(bay, 1, { state: 'plugged_in' });
    expect(await revision()).toBe(before);
    await setSite(bay.siteId, { name: 'Site cove' });
    expect(await revision()).not.toBe(before);
    await setSite(bay.siteId, { name: 'Site bay' });
    await setPort(bay, 1, { state: 'free' });
  });
});

describe('the wall of ports', () => {
  test('faults come first, then offline, occupied and free ports', async () => {
    await api.database.db.updateTable('stations').set({ online: false }).where('id', '=', bay.stationId).execute();
    later();
    const { items, connectors, pages } = await wall();
    expect(items.map(({ siteId, state }) => [siteId, state])).toEqual([
      [hill.siteId, 'fault'],
      [bay.siteId, 'offline'],
      [bay.siteId, 'offline'],
      [lake.siteId, 'charging'],
      [lake.siteId, 'free'],
      [hill.siteId, 'free'],
    ]);
    expect([connectors, pages]).toEqual([{ free: 2, occupied: 1, fault: 1, offline: 2 }, 1]);
    await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', bay.stationId).execute();
  });

  test('the wall of a region or a site has its ports alone', async () => {
    const of = async (query: string) => new Set((await wall(query)).items.map(({ siteId }) => siteId));
    expect(await of('?regionCode=330100')).toEqual(new Set([hill.siteId, lake.siteId]));
    expect(await of(`?siteId=${bay.siteId}`)).toEqual(new Set([bay.siteId]));
    await setSite(bay.siteId, { region_code: '970201' });
    later();
    expect(await of('?regionCode=90')).toEqual(new Set([bay.siteId]));
    await setSite(bay.siteId, { region_code: '440305' });
    later();
    expect(await of(`?siteId=${bay.siteId}&regionCode=330100`)).toEqual(new Set());
  });

  test('a region has one kept wall however many of its digits are given', async () => {
    const of = async (query: string) => (await wall(query)).items.map(({ id }) => id);
    later();
    const kept = await of('?regionCode=33');
    const last = kept.at(-1);
    await api.database.pool.query(`update connectors set state = 'fault' where id = $1`, [last]);
    for (const code of ['330', '3300', '330000']) expect(await of(`?regionCode=${code}`), code).toEqual(kept);
    later();
    expect(await of('?regionCode=33')).not.toEqual(kept);
    await api.database.pool.query(`update connectors set state = 'free' where id = $1`, [last]);
    later();
  });

  test('a port has the name on the wall that somebody gave it', async () => {
    const named = { number: 1, name: 'A枪（靠出口）' };
    await setPort(bay, named.number, { name: named.name });
    later();
    const { items } = await wall(`?siteId=${bay.siteId}`);
    expect(items.find(({ number }) => number === named.number)).toMatchObject(named);
  });

  test('a tile tells of a charge as much as its reader may know', async () => {
    const tile = async (token: string) =>
      (await wall(`?siteId=${lake.siteId}`, token)).items.find(({ state }) => state === 'charging');
    expect(await tile(lakeToken)).toMatchObject({ orderId, powerW: 58_300, socPercent: 61, energyWh: 18_240 });
    expect(await tile(api.adminToken)).toMatchObject({ orderId, energyWh: 18_240 });
    expect(await tile(guestToken)).toMatchObject({ orderId: null, powerW: null, socPercent: null, energyWh: null });
  });

  test('the wall has pages of a bounded size, and no port is on two of them', async () => {
    const { db } = api.database;
    const more = Array.from({ length: wallPortsMax }, (_, index) => ({
      station_id: bay.stationId,
      number: index + 10,
      name: '',
      state: 'free' as const,
    }));
    const made = await db.insertInto('connectors').values(more).returning('id').execute();
    later();
    const [one, two] = [await wall(), await wall('?page=2')];
    expect([one.items.length, two.items.length, one.pages]).toEqual([wallPortsMax, 6, 2]);
    expect(new Set([...one.items, ...two.items].map(({ id }) => id)).size).toBe(wallPortsMax + 6);
    expect((await api.get('/overview/ports?page=51')).status).toBe(422);
    const ids: ConnectorId[] = made.map(({ id }) => id);
    await db.deleteFrom('connectors').where('id', 'in', ids).execute();
  });

  test('a station at the site of another agent is on the map and wall of its own agent alone, with charges of its own', async () => {
    const [ownerId, hostId] = [await api.addAgent('owner'), await api.addAgent('host')];
    const [own, host] = [
      await makePlace(api.database, ownerId, 'owned'),
      await makePlace(api.database, hostId, 'hosting'),
    ];
    const permissions = ['overview.read', 'order.read', 'station.read'] as const;
    const tokens = await Promise.all(
      [ownerId, hostId].map(async (agentId, index) => {
        const { token } = await api.addUser({ name: `of-${index}`, permissions, scope: 'agent', agentId });
        return token;
      }),
    );
    const { db } = api.database;
    await db.updateTable('stations').set({ online: true }).where('id', 'in', [own.stationId, host.stationId]).execute();
    // Begun before the station was handed over, and after.
    const begun = { state: 'charging', ended_at: null, settled_at: null } as const;
    await makeOrder(api.database, { ...own, agentId: hostId }, now, begun);
    await setPort(own, 1, { state: 'charging' });
    const [, second] = (await api.get<{ ports: Connector[] }>(`/stations/${own.stationId}`)).data.ports;
    const ofOwner = await makeOrder(api.database, own, now, { ...begun, connector_id: second?.id as ConnectorId });
    await setPort(own, 2, { state: 'charging' });
    await db.updateTable('stations').set({ site_id: host.siteId }).where('id', '=', own.stationId).execute();
    await setPort(host, 1, { state: 'fault' });
    await setPort(host, 2, { state: 'fault' });
    later();

    const seen = async (token: string | undefined) => ({
      tiles: (await wall(`?siteId=${host.siteId}`, token)).items.map((tile) => [tile.stationId, tile.orderId]),
      wall: (await wall(`?siteId=${host.siteId}`, token)).connectors,
      map: (await api.get<MapSite[]>('/overview/sites', token === undefined ? {} : { token })).data.find(
        ({ id }) => id === host.siteId,
      )?.connectors,
    });
    const [ofOwners, ofHosts] = [await seen(tokens[0]), await seen(tokens[1])];
    expect(ofOwners.tiles).toEqual([
      [own.stationId, null],
      [own.stationId, ofOwner],
    ]);
    expect(ofHosts.tiles).toEqual([
      [host.stationId, null],
      [host.stationId, null],
    ]);
    const none = { free: 0, occupied: 0, fault: 0, offline: 0 };
    expect([ofOwners.wall, ofOwners.map]).toEqual(Array(2).fill({ ...none, occupied: 2 }));
    expect([ofHosts.wall, ofHosts.map]).toEqual(Array(2).fill({ ...none, fault: 2 }));
    const { connectors } = (await api.get<Summary>('/overview/summary', { token: tokens[0] ?? '' })).data;
    expect(connectors).toEqual(ofOwners.wall);
    expect((await wall(`?siteId=${host.siteId}`)).items).toHaveLength(4);
  });
});
