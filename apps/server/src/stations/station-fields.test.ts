import type { Station } from '@voltdeck/contract/stations';
import type { AgentId } from '@voltdeck/units/id';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';

let api: TestApi;
let ours: Place;
let theirs: Place;
let agentId: AgentId;
let agentToken: string;
beforeAll(async () => {
  api = await openTestApi();
  agentId = await api.addAgent('Shore');
  ours = await makePlace(api.database, null, 'ours');
  theirs = await makePlace(api.database, agentId, 'theirs');
  ({ token: agentToken } = await api.addUser({
    name: 'shore',
    permissions: ['station.read', 'station.create', 'station.edit'],
    scope: 'agent',
    agentId,
  }));
});
afterAll(() => api.close());

const form = (number: string, rest: object = {}) => ({
  number,
  name: number,
  type: 'fast',
  equipmentType: 'four-wheel',
  siteId: ours.siteId,
  connectorCount: 1,
  maxPowerKw: 60,
  ...rest,
});
const create = async (number: string, rest: object = {}, token?: string) => {
  const answer = await api.post<Station>('/stations', form(number, rest), token === undefined ? {} : { token });
  expect(answer.envelope.message).toMatchObject({ status: 200 });
  return answer.data;
};
const change = (id: number, number: string, rest: object = {}, token = api.adminToken) =>
  api.ask<Station>('PUT', `/stations/${id}`, { body: form(number, rest), token });
const numbers = async (query: string) =>
  (await api.get<{ items: Station[] }>(`/stations?sort=number&${query}`)).data.items.map(({ number }) => number);
const inDays = (days: number) => shanghaiDate(instant(Date.now() + days * dayMs));

test('a station has a custom site, is charged or free, and knows its SIM and its manufacturer', async () => {
  const facts = {
    customSite: 'Level B2, zone A',
    free: true,
    imei: '860123456789012',
    iccid: '8986012345678901234f',
    simExpiresOn: '2031-05-31',
    manufacturer: 'Starcharge',
    manufacturerCode: 'ma1234567',
    equipmentModel: 'DC-120',
    producedOn: '2026-01-15',
  };
  const made = await create('FACTS-1', facts);
  const kept = { ...facts, iccid: '8986012345678901234F', manufacturerCode: 'MA1234567' };
  expect(made).toMatchObject({ ...kept, activatedAt: null, lastUsedAt: null, offlineSince: null });
  const { free: _, ...others } = facts;
  expect((await change(made.id, 'FACTS-1', others)).data).toMatchObject(kept);
  expect((await change(made.id, 'FACTS-1', { free: false })).data).toMatchObject({
    free: false,
    customSite: '',
    imei: null,
    simExpiresOn: null,
    manufacturerCode: null,
  });
});

test('a wrong IMEI, ICCID or organization code is named at its field', async () => {
  const refused = await api.post(
    '/stations',
    form('FACTS-2', { imei: '12', iccid: 'x', manufacturerCode: '12345678' }),
  );
  expect(refused.status).toBe(422);
  expect(refused.envelope.message.fields).toMatchObject([
    { path: 'imei', code: 'imei' },
    { path: 'iccid', code: 'iccid' },
    { path: 'manufacturerCode', code: 'organization_code' },
  ]);
});

test('the platform chooses the agent of a station, which otherwise is the agent of its site', async () => {
  expect(await create('AGENT-1', { siteId: theirs.siteId })).toMatchObject({ agentId });
  expect(await create('AGENT-2')).toMatchObject({ agentId: null });
  const handed = await create('AGENT-3', { agentId });
  expect(handed).toMatchObject({ agentId, siteId: ours.siteId });
  // Whoever edits it where it stands leaves it with its agent.
  expect((await change(handed.id, 'AGENT-3')).data).toMatchObject({ agentId });
  const other = await api.addAgent('Harbour');
  expect((await change(handed.id, 'AGENT-3', { agentId: other })).data).toMatchObject({ agentId: other });
  const fields = [{ path: 'agentId', code: 'unknown_reference' }];
  expect((await change(handed.id, 'AGENT-3', { agentId: 999_999 })).envelope.message).toMatchObject({ fields });
});

test('a rule of an agent prices the stations of that agent only, and a station with an older one can still be edited', async () => {
  const cardTariffId = theirs.tariffId;
  const foreign = { fields: [{ path: 'cardTariffId', code: 'rule_of_other_agent' }] };
  const refused = await api.post('/stations', form('RULED-1', { cardTariffId }));
  expect(refused.envelope.message).toMatchObject(foreign);
  const handed = await create('RULED-2', { agentId, cardTariffId });
  expect(handed).toMatchObject({ agentId, cardTariffId });
  const other = await api.addAgent('Quay');
  const taken = await change(handed.id, 'RULED-2', { agentId: other, cardTariffId });
  expect(taken.envelope.message).toMatchObject(foreign);

  await api.database.db.updateTable('stations').set({ agent_id: other }).where('id', '=', handed.id).execute();
  const renamed = await change(handed.id, 'RULED-2', { name: 'By the crane', cardTariffId });
  expect(renamed.data).toMatchObject({ name: 'By the crane', agentId: other, cardTariffId });
});

test('an agent edits its station at a site of the platform, and neither moves one there nor gives one away', async () => {
  const handed = await create('HANDED-1', { agentId });
  const edited = await change(handed.id, 'HANDED-1', { name: 'By the lift' }, agentToken);
  expect(edited.data).toMatchObject({ name: 'By the lift', agentId, siteId: ours.siteId });
  const own = await create('OWN-1', { siteId: theirs.siteId }, agentToken);
  expect((await change(own.id, 'OWN-1', {}, agentToken)).envelope.message).toMatchObject({
    fields: [{ path: 'siteId', code: 'unknown_reference' }],
  });
  const harbour = await api.addAgent('Pier');
  const away = await change(own.id, 'OWN-1', { siteId: theirs.siteId, agentId: harbour }, agentToken);
  expect(away.envelope.message).toMatchObject({ fields: [{ path: 'agentId', code: 'unknown_reference' }] });
});

test('stations are found by an expiry within days, by free ones and by those that never connected', async () => {
  await create('FIND-1', { expiresOn: inDays(3), simExpiresOn: inDays(40) });
  await create('FIND-2', { expiresOn: inDays(30), simExpiresOn: inDays(-1), free: true });
  await create('FIND-3', { expiresOn: inDays(31) });
  const { db } = api.database;
  await db.updateTable('stations').set({ online: true }).where('number', '=', 'FIND-3').execute();
  await db.updateTable('stations').set({ online: false }).where('number', '=', 'FIND-3').execute();
  expect(await numbers('number=FIND-&expiresWithinDays=30')).toEqual(['FIND-1', 'FIND-2']);
  expect(await numbers('number=FIND-&simExpiresWithinDays=0')).toEqual(['FIND-2']);
  expect(await numbers('number=FIND-&free=true')).toEqual(['FIND-2']);
  expect(await numbers('number=FIND-&activated=true')).toEqual(['FIND-3']);
  expect(await numbers('number=FIND-&activated=false')).toEqual(['FIND-1', 'FIND-2']);
});

test('a station shows when it was last used, and a cancelled order is no use', async () => {
  const endedAt = instant(Date.parse('2026-11-20T10:30:00Z'));
  await makeOrder(api.database, theirs, instant(Date.parse('2026-11-20T10:00:00Z')), { ended_at: endedAt });
  await makeOrder(api.database, theirs, instant(Date.parse('2026-11-20T12:00:00Z')), { state: 'cancelled' });
  const { data } = await api.get<Station>(`/stations/${theirs.stationId}`);
  expect(data.lastUsedAt).toBe('2026-11-20T10:30:00.000Z');
});
