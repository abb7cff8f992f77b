import { changedConnectorsMax } from '@voltdeck/contract/connectors';
import type { StationDetail } from '@voltdeck/contract/stations';
import type { ConnectorId } from '@voltdeck/units/id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const set = (connectorIds: readonly number[], open: boolean, ask = {}) =>
  api.ask<{ changed: number }>('PATCH', '/connectors', { body: { connectorIds, open }, ...ask });
const portsOf = async (stationId: number) => (await api.get<StationDetail>(`/stations/${stationId}`)).data.ports;
const auditsOf = async (ids: readonly ConnectorId[]) =>
  api.database.db
    .selectFrom('audit_entries')
    .select(['record_id', 'before', 'after'])
    .where('record_kind', '=', 'connector')
    .where('record_id', 'in', ids.map(String))
    .where('action', '=', 'connector.change')
    .orderBy('id')
    .execute();

test('many gun ports are closed and opened at once, and only those that were not so before are in the audit log', async () => {
  const places = [await makePlace(api.database, null, 'many-1'), await makePlace(api.database, null, 'many-2')];
  const ids = (await Promise.all(places.map(({ stationId }) => portsOf(stationId)))).flat().map(({ id }) => id);
  const [first] = ids;
  if (first === undefined) throw new Error('a place has no port');
  expect((await set([first], false)).data).toEqual({ changed: 1 });
  expect((await set([...ids, ...ids], false)).data).toEqual({ changed: 3 });
  for (const { stationId } of places) {
    expect((await portsOf(stationId)).map(({ open }) => open)).toEqual([false, false]);
  }
  const audits = await auditsOf(ids);
  expect(audits.map(({ record_id }) => Number(record_id))).toEqual(ids);
  for (const audit of audits) expect(audit).toMatchObject({ before: { open: true }, after: { open: false } });
  expect((await set(ids, false)).data).toEqual({ changed: 0 });
  expect(await auditsOf(ids)).toHaveLength(ids.length);
  expect((await set(ids, true)).data).toEqual({ changed: 4 });
});

test('a closed gun port starts no charge, and an open one does', async () => {
  const place = await makePlace(api.database, null, 'shut');
  await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', place.stationId).execute();
  await api.database.db.updateTable('connectors').set({ state: 'free' }).where('id', '=', place.connectorId).execute();
  const end = playHolder(api.context.bus, place.stationNumber, async () => ({ kind: 'accepted' }));
  const start = () => api.post('/orders', { connectorId: place.connectorId, cardNumber: place.cardNumber });
  await set([place.connectorId], false);
  expect((await start()).envelope.message).toMatchObject({ error: 'connector.closed' });
  await set([place.connectorId], true);
  expect((await start()).envelope.message.status).toBe(200);
  end();
});

test('of many gun ports none is closed when one is missing or another agent’s', async () => {
  const agentId = await api.addAgent('Closer');
  const [own, other] = [await makePlace(api.database, agentId, 'own'), await makePlace(api.database, null, 'other')];
  const { token } = await api.addUser({ name: 'closer', permissions: ['connector.edit'], scope: 'agent', agentId });
  for (const strange of [other.connectorId, 999_999_999]) {
    expect((await set([own.connectorId, strange], false, { token })).envelope.message).toMatchObject({
      status: 404,
      error: 'record.not_found',
    });
  }
  expect((await portsOf(own.stationId)).map(({ open }) => open)).toEqual([true, true]);
  expect(await auditsOf([own.connectorId, other.connectorId])).toEqual([]);
  expect((await set([own.connectorId], false, { token })).data).toEqual({ changed: 1 });
});

test('closing gun ports needs at least one of them and takes a thousand at most, and says so', async () => {
  const many = Array.from({ length: changedConnectorsMax + 1 }, (_, index) => index + 1);
  for (const [ids, code] of [
    [[], 'required'],
    [many, 'too_many'],
  ] as const) {
    const { envelope } = await set(ids, false);
    expect(envelope.message).toMatchObject({ status: 422, fields: [{ path: 'connectorIds', code }] });
  }
});

test('gun ports of a station that goes to another agent while they are closed stay open', async () => {
  const [agentId, otherId] = [await api.addAgent('Late closer'), await api.addAgent('Early taker')];
  const place = await makePlace(api.database, agentId, 'gone');
  const { token } = await api.addUser({ name: 'late', permissions: ['connector.edit'], scope: 'agent', agentId });
  const refused = await whileChanging(
    api.database.pool,
    ['update stations set agent_id = $1 where id = $2', [otherId, place.stationId]],
    () => set([place.connectorId], false, { token }),
  );
  expect(refused.envelope.message).toMatchObject({ error: 'record.not_found' });
  expect((await portsOf(place.stationId)).map(({ open }) => open)).toEqual([true, true]);
});
