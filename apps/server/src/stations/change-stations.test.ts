import type { Station } from '@voltdeck/contract/stations';
import type { AgentId, StationId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';

let api: TestApi;
let lake: Place;
let shore: Place;
let agentId: AgentId;
let agentToken: string;
let ids: StationId[];
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = instant(Date.parse('2026-11-23T04:00:00Z'));
  api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  lake = await makePlace(api.database, null, 'lake');
  agentId = await api.addAgent('Shore');
  shore = await makePlace(api.database, agentId, 'shore');
  ({ token: agentToken } = await api.addUser({
    name: 'shore',
    permissions: ['station.read', 'station.edit'],
    scope: 'agent',
    agentId,
  }));
  ids = [];
  for (const number of ['MANY-1', 'MANY-2', 'MANY-3']) {
    const { data } = await api.post<{ id: StationId }>('/stations', {
      number,
      name: number,
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: lake.siteId,
      connectorCount: 1,
      maxPowerKw: 7,
      ...(number === 'MANY-1' ? { expiresOn: '2027-01-31' } : {}),
    });
    ids.push(data.id);
  }
});
afterAll(() => api.close());

type Answer = { changed: number; refusedCount: number; refused: { number: string; because: string }[] };
const change = (body: object, token = api.adminToken) =>
  api.post<Answer>('/station-changes', { ...('query' in body ? {} : { stationIds: ids }), ...body }, { token });
const stations = () =>
  api.database.db
    .selectFrom('stations')
    .select(['agent_id', 'site_id', 'card_tariff_id', 'wechat_tariff_id', 'expires_on', 'enabled'])
    .where('number', 'like', 'MANY-%')
    .orderBy('number')
    .execute();
const done = { changed: 3, refusedCount: 0, refused: [] };

test('many stations get a card rule and a WeChat rule, and each change is in the audit log', async () => {
  expect((await change({ kind: 'set-card-rule', cardTariffId: lake.tariffId })).data).toEqual(done);
  expect((await change({ kind: 'set-wechat-rule', wechatTariffId: lake.tariffId })).data).toEqual(done);
  expect(await stations()).toMatchObject(
    Array(3).fill({ card_tariff_id: lake.tariffId, wechat_tariff_id: lake.tariffId }),
  );
  expect((await change({ kind: 'set-wechat-rule' })).data).toEqual(done);
  expect(await stations()).toMatchObject(Array(3).fill({ wechat_tariff_id: null }));
  const { rows } = await api.database.pool.query(
    `select before, after from audit_entries where action = 'station.change' and record_id = $1 order by id`,
    [String(ids[1])],
  );
  expect(rows).toEqual([
    { before: { cardTariffId: null }, after: { cardTariffId: lake.tariffId } },
    { before: { wechatTariffId: null }, after: { wechatTariffId: lake.tariffId } },
    { before: { wechatTariffId: lake.tariffId }, after: { wechatTariffId: null } },
  ]);
});

test('an expiry is extended to a day, or by months from itself and from today where there is none', async () => {
  await change({ kind: 'extend-expiry', months: 1 });
  expect((await stations()).map(({ expires_on }) => expires_on)).toEqual(['2027-02-28', '2026-12-23', '2026-12-23']);
  await change({ kind: 'extend-expiry', expiresOn: '2030-05-31' });
  expect((await stations()).map(({ expires_on }) => expires_on)).toEqual(Array(3).fill('2030-05-31'));
  const both = await change({ kind: 'extend-expiry', expiresOn: '2030-05-31', months: 1 });
  expect(both.envelope.message).toMatchObject({ fields: [{ path: 'months', code: 'only_one' }] });
});

test('an expiry neither passes the last day nor lies before the first one', async () => {
  expect((await change({ kind: 'extend-expiry', expiresOn: '9999-12-31' })).data).toEqual(done);
  expect((await change({ kind: 'extend-expiry', months: 120 })).data).toEqual(done);
  expect((await stations()).map(({ expires_on }) => expires_on)).toEqual(Array(3).fill('9999-12-31'));
  const early = await change({ kind: 'extend-expiry', expiresOn: '0000-01-01' });
  expect(early.envelope.message).toMatchObject({ status: 422, fields: [{ path: 'expiresOn', code: 'not_day' }] });
});

test('everything that a filter matches is disabled and enabled', async () => {
  expect((await change({ kind: 'disable', query: { number: 'MANY-' } })).data).toEqual(done);
  expect(await stations()).toMatchObject(Array(3).fill({ enabled: false }));
  expect((await change({ kind: 'enable', query: { number: 'MANY-', enabled: 'false' } })).data).toEqual(done);
  expect(await stations()).toMatchObject(Array(3).fill({ enabled: true }));
});

test('stations that a rule of another agent would price are refused by number, and none is changed', async () => {
  await change({ kind: 'set-card-rule', cardTariffId: lake.tariffId });
  const refused = await change({ kind: 'set-card-rule', cardTariffId: shore.tariffId });
  expect(refused.data).toEqual({
    changed: 0,
    refusedCount: 3,
    refused: ['MANY-1', 'MANY-2', 'MANY-3'].map((number) => ({ number, because: 'rule_of_other_agent' })),
  });
  expect(await stations()).toMatchObject(Array(3).fill({ card_tariff_id: lake.tariffId }));
});

test('the platform moves stations to a site of an agent and takes them back; running charges keep where they began', async () => {
  const [stationId] = ids;
  if (stationId === undefined) throw new Error('no station');
  const orderId = await makeOrder(api.database, { ...lake, stationId }, instant(Date.now()), { state: 'charging' });
  expect((await change({ kind: 'move-to-site', siteId: shore.siteId })).data).toEqual(done);
  expect(await stations()).toMatchObject(Array(3).fill({ site_id: shore.siteId, agent_id: agentId }));
  const order = await api.database.db
    .selectFrom('orders')
    .select(['site_id', 'agent_id'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  expect(order).toEqual({ site_id: lake.siteId, agent_id: null });
  expect((await change({ kind: 'hand-to-agent' })).data).toEqual(done);
  expect(await stations()).toMatchObject(Array(3).fill({ site_id: shore.siteId, agent_id: null }));
  expect((await change({ kind: 'hand-to-agent', agentId })).data).toEqual(done);
});

test('an agent changes its own stations only, gives none away and moves none to a site that it does not see', async () => {
  expect((await change({ kind: 'disable' }, agentToken)).data).toEqual(done);
  const foreign = await change({ kind: 'disable', stationIds: [lake.stationId] }, agentToken);
  expect(foreign.envelope.message).toMatchObject({ status: 404 });
  expect((await change({ kind: 'hand-to-agent' }, agentToken)).envelope.message).toMatchObject({ status: 403 });
  expect((await change({ kind: 'move-to-site', siteId: lake.siteId }, agentToken)).envelope.message).toMatchObject({
    fields: [{ path: 'siteId', code: 'unknown_reference' }],
  });
  expect((await change({ kind: 'set-card-rule', cardTariffId: shore.tariffId }, agentToken)).data).toEqual(done);
});

test('an agent whose scope is its tree gives stations to agents of that tree, by the form or many at once, and to nobody else', async () => {
  const child = await api.addAgent('Shore branch', agentId);
  const stranger = await api.addAgent('Far shore');
  const { token } = await api.addUser({
    name: 'shore-tree',
    permissions: ['station.read', 'station.edit', 'site.edit', 'site.read'],
    scope: 'agent_tree',
    agentId,
  });
  const branch = await makePlace(api.database, child, 'branch');
  const { stationId, stationNumber: number } = branch;
  await change({ kind: 'set-card-rule', cardTariffId: lake.tariffId, stationIds: [stationId] });
  const form = {
    number,
    name: 'Branch',
    type: 'fast',
    equipmentType: 'four-wheel',
    siteId: branch.siteId,
    connectorCount: 2,
    maxPowerKw: 120,
    cardTariffId: lake.tariffId,
  };
  const hand = (to?: AgentId) => change({ kind: 'hand-to-agent', stationIds: [stationId], agentId: to }, token);
  const byForm = (to: AgentId) =>
    api.ask<Station>('PUT', `/stations/${stationId}`, { body: { ...form, agentId: to }, token });

  expect((await byForm(agentId)).data.agentId).toBe(agentId);
  expect((await hand(child)).data).toEqual({ ...done, changed: 1 });
  expect((await hand(agentId)).data).toEqual({ ...done, changed: 1 });
  const outside = { fields: [{ path: 'agentId', code: 'unknown_reference' }] };
  expect((await hand(stranger)).envelope.message).toMatchObject(outside);
  expect((await byForm(stranger)).envelope.message).toMatchObject(outside);
  expect((await hand()).envelope.message).toMatchObject({ status: 403 });
  const owner = await api.get<Station>(`/stations/${stationId}`);
  expect(owner.data.agentId).toBe(agentId);
});

test('stations that go to another agent while an agent changes them are left to it', async () => {
  const otherId = await api.addAgent('Bank');
  const taken = await makePlace(api.database, agentId, 'taken');
  const kept = await makePlace(api.database, agentId, 'kept');
  const stationIds = [kept.stationId, taken.stationId];
  const rows = () =>
    api.database.db
      .selectFrom('stations')
      .select(['agent_id', 'site_id', 'enabled'])
      .where('id', 'in', stationIds)
      .orderBy('id')
      .execute();
  const acts = [{ kind: 'disable' }, { kind: 'move-to-site', siteId: shore.siteId }];
  for (const act of acts) {
    await api.database.pool.query('update stations set agent_id = $1 where id = $2', [agentId, taken.stationId]);
    const refused = await whileChanging(
      api.database.pool,
      ['update stations set agent_id = $1 where id = $2', [otherId, taken.stationId]],
      () => change({ ...act, stationIds }, agentToken),
    );
    expect(refused.envelope.message).toMatchObject({ error: 'record.not_found' });
    expect(await rows()).toEqual([
      { agent_id: otherId, site_id: taken.siteId, enabled: true },
      { agent_id: agentId, site_id: kept.siteId, enabled: true },
    ]);
  }
});

test('a station that goes to another agent while an agent disables it or renews its password is left to it', async () => {
  const otherId = await api.addAgent('Pier');
  const { stationId } = await makePlace(api.database, agentId, 'alone');
  const row = () =>
    api.database.db
      .selectFrom('stations')
      .select(['enabled', 'password_hash'])
      .where('id', '=', stationId)
      .executeTakeFirst();
  const before = await row();
  const acts = [
    () => api.ask('PATCH', `/stations/${stationId}`, { body: { enabled: false }, token: agentToken }),
    () => api.ask('POST', `/stations/${stationId}/passwords`, { token: agentToken }),
  ];
  for (const act of acts) {
    await api.database.pool.query('update stations set agent_id = $1 where id = $2', [agentId, stationId]);
    const refused = await whileChanging(
      api.database.pool,
      ['update stations set agent_id = $1 where id = $2', [otherId, stationId]],
      act,
    );
    expect(refused.envelope.message).toMatchObject({ error: 'record.not_found' });
    expect(await row()).toEqual(before);
  }
});

test('a station that is moved to a site or registered there while the site goes to another agent becomes that agent’s', async () => {
  const otherId = await api.addAgent('Harbour');
  const { siteId } = await makePlace(api.database, agentId, 'harbour');
  await change({ kind: 'set-card-rule', cardTariffId: lake.tariffId });
  const form = { type: 'fast', equipmentType: 'four-wheel', siteId, connectorCount: 1, maxPowerKw: 7 };
  const acts = [
    () => change({ kind: 'move-to-site', siteId, stationIds: ids.slice(0, 1) }),
    () => api.post('/stations', { ...form, number: 'HARBOUR-1', name: 'At the harbour' }),
  ];
  for (const act of acts) {
    await api.database.pool.query('update sites set agent_id = $1 where id = $2', [agentId, siteId]);
    const answer = await whileChanging(
      api.database.pool,
      ['update sites set agent_id = $1 where id = $2', [otherId, siteId]],
      act,
    );
    expect(answer.envelope.message.status).toBe(200);
  }
  const { rows } = await api.database.pool.query(
    `select number, agent_id as agent from stations where number in ('MANY-1', 'HARBOUR-1') order by number`,
  );
  expect(rows).toEqual([
    { number: 'HARBOUR-1', agent: otherId },
    { number: 'MANY-1', agent: otherId },
  ]);
});
