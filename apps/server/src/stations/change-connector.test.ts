import type { Connector, ConnectorForm } from '@voltdeck/contract/connectors';
import type { FieldFault } from '@voltdeck/contract/errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';

let api: TestApi;
let place: Place;
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'lake');
});
afterAll(() => api.close());

const nameplate = {
  name: 'A枪',
  bayNumber: 'B2-017',
  kind: 'dc_plug',
  nationalStandard: '2015',
  ratedVoltageMinV: 200,
  ratedVoltageMaxV: 1_000,
  ratedCurrentA: 250,
  ratedPowerW: 120_000,
} as const satisfies ConnectorForm;

const change = (body: object, ask = {}) =>
  api.ask<Connector>('PUT', `/connectors/${place.connectorId}`, { body, ...ask });
const portsOf = async (query: string) =>
  (await api.get<{ items: Connector[] }>(`/connectors?stationId=${place.stationId}&${query}`)).data.items;
const port = async () => (await portsOf('number=1'))[0];
const entries = () =>
  api.database.db
    .selectFrom('audit_entries')
    .select(['before', 'after'])
    .where('action', '=', 'connector.change')
    .where('record_id', '=', String(place.connectorId))
    .orderBy('id')
    .execute();
const setStationRating = (volts: number | null, amperes: number | null) =>
  api.database.pool.query('update stations set voltage_v = $2, current_a = $3 where id = $1', [
    place.stationId,
    volts,
    amperes,
  ]);
const faultsOf = async (body: object, language: 'zh-CN' | 'en' = 'en') => {
  const { status, envelope } = await change({ ...nameplate, ...body }, { language });
  expect(status).toBe(422);
  return (envelope.message as unknown as { fields: (FieldFault & { message: string })[] }).fields;
};

test('a gun port gets the facts of its nameplate and its bay, is found by kind and bay, and loses what a form leaves out', async () => {
  expect((await change(nameplate)).data).toMatchObject({ ...nameplate, open: true });
  const [before] = (await entries()).slice(-1);
  expect(before).toMatchObject({ before: { bayNumber: null, kind: null, ratedPowerW: null }, after: nameplate });
  // The same again changes nothing.
  await change(nameplate);
  expect(await entries()).toHaveLength(1);

  const numbers = async (query: string) => (await portsOf(query)).map(({ number }) => number);
  expect(await numbers('kind=dc_plug,wireless')).toEqual([1]);
  expect(await numbers('kind=ac_plug')).toEqual([]);
  expect(await numbers('bayNumber=b2-0')).toEqual([1]);
  expect(await numbers('bayNumber=B2_0')).toEqual([]);

  const { data } = await change({ name: 'A枪', bayNumber: null, kind: 'dc_plug' });
  expect(data).toMatchObject({
    bayNumber: null,
    kind: 'dc_plug',
    nationalStandard: null,
    ratedVoltageMinV: null,
    ratedVoltageMaxV: null,
    ratedCurrentA: null,
    ratedPowerW: null,
  });
});

test.each([
  ['zh-CN', '不能高于上限 500'],
  ['en', 'Must not be above the upper limit of 500'],
] as const)(
  'a lower limit above the upper one is refused at its field and changes nothing, in %s',
  async (language, message) => {
    await change(nameplate);
    const faults = await faultsOf({ ratedVoltageMinV: 501, ratedVoltageMaxV: 500 }, language);
    expect(faults).toMatchObject([{ path: 'ratedVoltageMinV', code: 'above_upper_limit', message }]);
    expect(await port()).toMatchObject(nameplate);
    expect((await change({ ...nameplate, ratedVoltageMinV: 500, ratedVoltageMaxV: 500 })).data).toMatchObject({
      ratedVoltageMinV: 500,
      ratedVoltageMaxV: 500,
    });
  },
);

test.each([
  [{ name: ' ' }, 'name', 'required'],
  [{ bayNumber: 'B2-EAST-017' }, 'bayNumber', 'too_long'],
  [{ kind: 'gun' }, 'kind', 'not_choice'],
  [{ nationalStandard: '2016' }, 'nationalStandard', 'not_choice'],
  [{ ratedVoltageMinV: 0 }, 'ratedVoltageMinV', 'too_small'],
  [{ ratedVoltageMaxV: 1_501 }, 'ratedVoltageMaxV', 'too_big'],
  [{ ratedVoltageMaxV: 220.5 }, 'ratedVoltageMaxV', 'not_integer'],
  [{ ratedCurrentA: 2_001 }, 'ratedCurrentA', 'too_big'],
  [{ ratedPowerW: 99 }, 'ratedPowerW', 'too_small'],
  [{ ratedPowerW: 2_000_001 }, 'ratedPowerW', 'too_big'],
  [{ open: false }, 'open', 'unknown_field'],
] as const)('a gun port does not take %o', async (body, path, code) => {
  await change(nameplate);
  expect(await faultsOf(body)).toMatchObject([{ path, code }]);
  expect(await port()).toMatchObject(nameplate);
});

test.each([
  ['zh-CN', '接口类型', '直流枪', '750（充电桩）', '160（充电桩）'],
  ['en', 'Connector type', 'DC gun', '750 (station’s)', '160 (station’s)'],
] as const)(
  'the file of gun ports has their facts, and the station’s rating marked as such, in %s',
  async (language, head, kind, volts, amperes) => {
    await setStationRating(750, 160);
    const row = async () => {
      const { text } = await api.get(`/connectors/export?stationId=${place.stationId}&number=1&format=csv`, {
        language,
      });
      const [heads = '', values = ''] = text.replace('\ufeff', '').split(/\r?\n/);
      const cells = values.split(',');
      expect(heads.split(',')).toContain(head);
      return cells;
    };
    await change({ name: 'A枪', kind: 'dc_plug' });
    expect(await row()).toEqual(expect.arrayContaining([kind, volts, amperes]));
    await change(nameplate);
    expect(await row()).toEqual(expect.arrayContaining([kind, 'B2-017', '200–1000', '250', '120']));
    await change({ name: 'A枪', ratedVoltageMinV: 200 });
    expect(await row()).toEqual(expect.arrayContaining(['≥ 200', amperes]));
    await setStationRating(null, null);
    await change({ name: 'A枪', ratedVoltageMaxV: 500 });
    expect(await row()).toEqual(expect.arrayContaining(['≤ 500']));
    expect(await row()).not.toEqual(expect.arrayContaining([amperes]));
  },
);

test('a gun port whose station goes to another agent while its facts are changed keeps them', async () => {
  const [agentId, otherId] = [await api.addAgent('Late namer'), await api.addAgent('Early owner')];
  const { connectorId, stationId } = await makePlace(api.database, agentId, 'gone');
  const { token } = await api.addUser({ name: 'namer', permissions: ['connector.edit'], scope: 'agent', agentId });
  const refused = await whileChanging(
    api.database.pool,
    ['update stations set agent_id = $1 where id = $2', [otherId, stationId]],
    () => api.ask('PUT', `/connectors/${connectorId}`, { body: nameplate, token }),
  );
  expect(refused.envelope.message).toMatchObject({ error: 'record.not_found' });
  const found = await api.database.db
    .selectFrom('connectors')
    .select(['kind', 'bay_number'])
    .where('id', '=', connectorId)
    .executeTakeFirst();
  expect(found).toEqual({ kind: null, bay_number: null });
});
