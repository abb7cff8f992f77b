import type { Task } from '@voltdeck/contract/tasks';
import type { AgentId } from '@voltdeck/units/id';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace, type Place } from '../../http/test-records.ts';
import { sheetRows } from '../../http/test-sheets.ts';
import { testTasks } from '../../http/test-tasks.ts';
import { verifyStationPassword } from '../station-password.ts';

let api: TestApi;
let lake: Place;
let shore: Place;
let agentId: AgentId;
let agentToken: string;
const { work, rest, find: task, ended } = testTasks(() => api);

beforeAll(async () => {
  api = await openTestApi();
  lake = await makePlace(api.database, null, 'lake');
  agentId = await api.addAgent('Shore');
  shore = await makePlace(api.database, agentId, 'shore');
  ({ token: agentToken } = await api.addUser({
    name: 'shore',
    permissions: ['station.read', 'station.create', 'station.delete'],
    scope: 'agent',
    agentId,
  }));
});
afterEach(rest);
afterAll(() => api.close());

type Identity = {
  id: number;
  number: string;
  state: string;
  agentId: number | null;
  stationId: number | null;
  siteName: string | null;
};
const form = {
  batch: 'PO-1',
  protocol: 'ocpp1.6',
  startNumber: 'VD-',
  count: 3,
  type: 'fast',
  equipmentType: 'four-wheel',
  connectorCount: 2,
  maxPowerKw: 120,
  equipmentModel: 'DC-120',
};
const make = (over: object = {}, ask?: Ask) =>
  api.post<{ taskId: number; count: number }>('/station-identities', { ...form, ...over }, ask);
const made = async (over: object = {}, ask?: Ask) => {
  const { data, envelope } = await make(over, ask);
  expect(envelope.message).toMatchObject({ status: 200 });
  await work();
  await ended(data.taskId);
  return data.taskId;
};
const listed = async (query: string, ask: Ask = {}) =>
  (await api.get<{ items: Identity[]; total: number }>(`/station-identities?sort=number&pageSize=100&${query}`, ask))
    .data;
const count = async (where: string) => {
  const { rows } = await api.database.pool.query<{ count: number }>(`select count(*)::int as count from ${where}`);
  return rows[0]?.count;
};
const sheetOf = async (taskId: number, ask?: Ask) => sheetRows((await api.get(`/tasks/${taskId}/file`, ask)).bytes);

describe('a batch of ten thousand', () => {
  test('ten thousand identities are made in one go, each with a number and a password of its own that only the file has', async () => {
    const taskId = await made({ startNumber: 'BIG-', count: 10_000, batch: 'PO-10000' });
    expect(await task(taskId)).toMatchObject({ state: 'done', doneCount: 10_000 });
    const [heads, ...rows] = await sheetOf(taskId);
    expect(heads).toEqual([
      '充电桩编号',
      '连接密码',
      '通信协议',
      '充电桩类型',
      '生产厂商',
      '设备型号',
      '批次',
      '1 号枪二维码',
      '2 号枪二维码',
    ]);
    expect(rows).toHaveLength(10_000);
    expect(new Set(rows.map(([number]) => number)).size).toBe(10_000);
    expect(new Set(rows.map(([, password]) => password)).size).toBe(10_000);
    expect(rows[0]?.[0]).toBe('BIG-00001');
    expect(rows[9_999]?.slice(0, 1)).toEqual(['BIG-10000']);
    const { rows: stored } = await api.database.pool.query<{ number: string; password_hash: string }>(
      `select number, password_hash from station_identities where number in ('BIG-00001', 'BIG-04321') order by number`,
    );
    for (const { number, password_hash: hash } of stored) {
      const row = rows.find(([first]) => first === number) ?? [];
      expect(verifyStationPassword(row[1] ?? '', hash)).toBe(true);
      expect(row.slice(-2)).toEqual([`${number}-1`, `${number}-2`]);
    }
    expect(stored).toHaveLength(2);
    const { total } = await listed('batch=PO-10000&state=in_stock');
    expect(total).toBe(10_000);
  });

  test('a batch that is cancelled amid its work leaves no number', async () => {
    const lock = 4_713;
    await api.database.pool.query(`
      create function wait_for_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(${lock}); return new; end $$;
      create trigger wait_for_test before insert on station_identities
        for each row when (new.number = 'STOP-06000') execute function wait_for_test()`);
    const holder = await api.database.pool.connect();
    await holder.query('select pg_advisory_lock($1)', [lock]);
    const { data } = await make({ startNumber: 'STOP-', count: 10_000, batch: 'stopped' });
    await work();
    await expect.poll(async () => (await task(data.taskId)).doneCount, { timeout: 60_000 }).toBeGreaterThan(5_000);
    expect((await api.post<Task>(`/tasks/${data.taskId}/cancellations`)).data).toMatchObject({ state: 'cancelled' });
    await holder.query('select pg_advisory_unlock($1)', [lock]);
    holder.release();
    await rest();
    await api.database.pool.query('drop trigger wait_for_test on station_identities');
    expect(await count(`station_identities where batch = 'stopped'`)).toBe(0);
    expect(await task(data.taskId)).toMatchObject({ file: null });
  });
});

describe('the numbers of a batch', () => {
  test('the same request sent twice makes one batch', async () => {
    const first = await make({ startNumber: 'ONCE-', batch: 'once' }, { key: 'the-same-key-twice' });
    const again = await make({ startNumber: 'ONCE-', batch: 'once' }, { key: 'the-same-key-twice' });
    expect(again.data).toEqual(first.data);
    await work();
    await ended(first.data.taskId);
    expect(await count(`station_identities where batch = 'once'`)).toBe(3);
  });

  test('a clash with a station or another identity is named before anything is written', async () => {
    await made({ startNumber: 'CLASH-0002', count: 2, batch: 'clash' });
    const refused = await make({ startNumber: 'CLASH-', count: 5 }, { language: 'en' });
    expect(refused.envelope.message).toMatchObject({
      error: 'identity.number_taken',
      message: '2 of these numbers are taken already, CLASH-0002 first. Choose another start number',
    });
    const station = await make({ startNumber: lake.stationNumber, count: 1 }, { language: 'zh-CN' });
    expect(station.envelope.message.message).toBe(
      `这些编号中有 1 个已被占用，第一个是 ${lake.stationNumber}，请更换起始编号`,
    );
    expect(await count(`station_identities where number like 'CLASH-%'`)).toBe(2);
  });

  test('a number that is taken while the batch waits makes it fail as a whole', async () => {
    const { data } = await make({ startNumber: 'LATE-', batch: 'late' });
    await api.post('/stations', { ...stationForm, number: 'LATE-0002' });
    await work();
    await ended(data.taskId);
    expect(await task(data.taskId)).toMatchObject({ state: 'failed', errorCode: 'identity.changed', file: null });
    expect(await count(`station_identities where batch = 'late'`)).toBe(0);
  });

  test('bad values are refused at their field', async () => {
    const cases: [object, string][] = [
      [{ count: 0 }, 'count'],
      [{ count: 10_001 }, 'count'],
      [{ count: 1.5 }, 'count'],
      [{ startNumber: '' }, 'startNumber'],
      [{ startNumber: '../etc' }, 'startNumber'],
      [{ startNumber: 'VD-98', count: 5 }, 'startNumber'],
      [{ protocol: 'ykc', startNumber: 'VD-1' }, 'startNumber'],
      [{ protocol: 'ykc', startNumber: '320106000192361' }, 'startNumber'],
      [{ protocol: 'ocpp9' }, 'protocol'],
      [{ connectorCount: 0 }, 'connectorCount'],
      [{ batch: '' }, 'batch'],
      [{ siteId: 999_999 }, 'siteId'],
      [{ agentId: 999_999 }, 'agentId'],
    ];
    const before = await count('tasks');
    for (const [over, path] of cases) {
      const { envelope } = await make(over);
      expect(envelope.message, JSON.stringify(over)).toMatchObject({ status: 422, error: 'request.invalid' });
      expect(JSON.stringify(envelope), JSON.stringify(over)).toContain(`"${path}"`);
    }
    expect(await count('tasks')).toBe(before);
  });

  test('YKC identities have 14 digits and no password', async () => {
    const taskId = await made({ protocol: 'ykc', startNumber: '320106', count: 2, batch: 'ykc' });
    const [, ...rows] = await sheetOf(taskId);
    expect(rows.map(([number, password]) => [number, password])).toEqual([
      ['32010600000001', ''],
      ['32010600000002', ''],
    ]);
  });
});

const stationForm = {
  number: '',
  name: 'By hand',
  type: 'fast',
  equipmentType: 'four-wheel',
  siteId: 0,
  connectorCount: 1,
  maxPowerKw: 7,
};
beforeAll(() => {
  stationForm.siteId = lake.siteId;
});

describe('from the stock to a site', () => {
  test('assigned identities become stations of the site with the password of the factory, and installed when they connect', async () => {
    const taskId = await made({ startNumber: 'MOVE-', batch: 'move' });
    const [, ...rows] = await sheetOf(taskId);
    const { items } = await listed('batch=move');
    const ids = items.slice(0, 2).map(({ id }) => id);
    const assigned = await api.post<{ assigned: number }>('/station-identities/assignments', {
      identityIds: ids,
      siteId: shore.siteId,
    });
    expect(assigned.data).toEqual({ assigned: 2 });
    expect((await listed('batch=move')).items.map(({ state, siteName }) => [state, siteName])).toEqual([
      ['assigned', 'Site shore'],
      ['assigned', 'Site shore'],
      ['in_stock', null],
    ]);
    const { rows: stations } = await api.database.pool.query(
      `select password_hash, site_id, agent_id, equipment_model, card_tariff_id,
              (select count(*)::int from connectors where station_id = stations.id) as ports
         from stations where number = 'MOVE-0001'`,
    );
    expect(stations[0]).toMatchObject({
      site_id: shore.siteId,
      agent_id: agentId,
      equipment_model: 'DC-120',
      ports: 2,
    });
    expect(verifyStationPassword(rows[0]?.[1] ?? '', stations[0].password_hash)).toBe(true);
    await api.database.pool.query(`update stations set activated_at = now() where number = 'MOVE-0002'`);
    expect((await listed('batch=move&state=installed')).items.map(({ number }) => number)).toEqual(['MOVE-0002']);
    const twice = await api.post(
      '/station-identities/assignments',
      { identityIds: items.map(({ id }) => id), siteId: lake.siteId },
      { language: 'en' },
    );
    expect(twice.envelope.message).toMatchObject({
      error: 'identity.not_in_stock',
      message: 'MOVE-0001 is no longer in stock',
    });
    expect(await count(`stations where number = 'MOVE-0003'`)).toBe(0);
  });

  test('a batch for a site is registered there at once', async () => {
    await made({ startNumber: 'SITE-', batch: 'site', siteId: shore.siteId });
    const { items } = await listed('batch=site');
    expect(items.map(({ state, agentId: whose }) => [state, whose])).toEqual(
      Array.from({ length: 3 }, () => ['assigned', agentId]),
    );
    expect(await count(`connectors c join stations s on s.id = c.station_id where s.number like 'SITE-%'`)).toBe(6);
  });

  test('a station in stock that connects is known by its batch, and keeps its password when it is adopted', async () => {
    const taskId = await made({ startNumber: 'KNOWN-', count: 1, batch: 'known' });
    const [, row = []] = await sheetOf(taskId);
    await api.database.pool.query(
      `insert into unknown_stations (number, protocol, remote_address, network, first_seen_at, last_seen_at)
       values ('KNOWN-0001', 'ocpp1.6', '203.0.113.9', '203.0.113.9', now(), now())`,
    );
    const { data } = await api.get<{ items: { id: number; number: string; identity: object | null }[] }>(
      '/unknown-stations',
    );
    const unknown = data.items.find(({ number }) => number === 'KNOWN-0001');
    expect(unknown?.identity).toMatchObject({ batch: 'known', connectorCount: 2, equipmentModel: 'DC-120' });
    const { number: _, ...adoption } = { ...stationForm, siteId: lake.siteId };
    const adopted = await api.post<{ password: string | null }>(`/unknown-stations/${unknown?.id}/adoptions`, adoption);
    expect(adopted.data.password).toBeNull();
    const { rows } = await api.database.pool.query(`select password_hash from stations where number = 'KNOWN-0001'`);
    expect(verifyStationPassword(row[1] ?? '', rows[0].password_hash)).toBe(true);
    expect((await listed('batch=known')).items[0]).toMatchObject({ state: 'assigned' });
  });

  test('a number in stock is given to no other station', async () => {
    await made({ startNumber: 'KEPT-', count: 1, batch: 'kept' });
    const other = await api.post('/stations', {
      ...stationForm,
      protocol: 'ykc',
      number: 'KEPT-0001',
      siteId: lake.siteId,
    });
    expect(other.envelope.message).toMatchObject({ error: 'request.invalid' });
    const foreign = await api.post(
      '/stations',
      { ...stationForm, number: 'KEPT-0001', siteId: shore.siteId },
      { token: agentToken },
    );
    expect(foreign.envelope.message).toMatchObject({ error: 'station.number_taken' });
    const change = await api.get<Record<string, unknown>>(`/stations/${lake.stationId}`);
    const { name, type, equipmentType, connectorCount, maxPowerKw } = change.data;
    const body = { number: 'KEPT-0001', name, type, equipmentType, connectorCount, maxPowerKw, siteId: lake.siteId };
    const renamed = await api.ask('PUT', `/stations/${lake.stationId}`, { body });
    expect(renamed.envelope.message).toMatchObject({ error: 'station.number_taken' });
    expect(await count(`stations where number = 'KEPT-0001'`)).toBe(0);
  });

  test('identities in stock are removed all or none, and their numbers are free again', async () => {
    await made({ startNumber: 'GONE-', batch: 'gone' });
    const { items } = await listed('batch=gone');
    const [first, ...rest] = items.map(({ id }) => id);
    await api.post('/station-identities/assignments', { identityIds: [first], siteId: lake.siteId });
    const refused = await api.post('/station-identities/removals', { identityIds: [first, ...rest] });
    expect(refused.envelope.message).toMatchObject({ error: 'identity.not_in_stock' });
    expect(await count(`station_identities where batch = 'gone'`)).toBe(3);
    expect((await api.post('/station-identities/removals', { identityIds: rest })).data).toEqual({ removed: 2 });
    await made({ startNumber: 'GONE-0002', count: 2, batch: 'again' });
    expect((await listed('batch=again')).total).toBe(2);
  });
});

describe('an agent', () => {
  test('an identity goes with its station to another agent, and its former one no longer sees it or its password', async () => {
    const batch = { startNumber: 'HANDED-', count: 2, siteId: shore.siteId };
    const taskId = await made(batch, { token: agentToken });
    const file = (ask: Ask) => api.get(`/tasks/${taskId}/file`, ask);
    expect((await file({ token: agentToken })).status).toBe(200);
    const own = async () => (await listed('number=HANDED', { token: agentToken })).items.map(({ number }) => number);
    const numbers = await own();
    expect(numbers).toHaveLength(2);
    const otherId = await api.addAgent('Bank');
    const stationOf = async () => (await listed(`number=${numbers[0]}`)).items[0];
    const handed = { kind: 'hand-to-agent', agentId: otherId, stationIds: [(await stationOf())?.stationId] };
    expect((await api.post('/station-changes', handed)).status).toBe(200);
    expect(await stationOf()).toMatchObject({ agentId: otherId, state: 'assigned' });
    expect(await own()).toEqual([numbers[1]]);
    const refused = await file({ token: agentToken, language: 'en' });
    expect(refused.envelope.message).toMatchObject({
      status: 403,
      error: 'task.file_of_others',
      message:
        'The file has the password of 1 station that now belongs to somebody else. Renew the passwords of your own stations where you need them',
    });
    expect((await file({})).status).toBe(200);
  });

  test('an identity whose number is registered for another agent belongs to that agent', async () => {
    await made({ startNumber: 'ELSEWHERE-', count: 1, agentId });
    const [stocked] = (await listed('number=ELSEWHERE', { token: agentToken })).items;
    const station = {
      number: stocked?.number,
      name: 'Elsewhere',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: lake.siteId,
      connectorCount: 2,
      maxPowerKw: 120,
    };
    await api.post('/stations', station);
    expect((await listed('number=ELSEWHERE')).items).toMatchObject([{ agentId: null, state: 'assigned' }]);
    expect((await listed('number=ELSEWHERE', { token: agentToken })).items).toEqual([]);
  });

  test('an agent makes, sees, assigns and removes its own identities only', async () => {
    await made({ startNumber: 'OURS-', batch: 'platform' });
    const { data } = await make({ startNumber: 'THEIRS-', batch: 'agent' }, { token: agentToken });
    await work();
    await ended(data.taskId);
    const own = await listed('', { token: agentToken });
    expect(own.items.filter(({ agentId: whose }) => whose !== agentId)).toEqual([]);
    expect(own.items.map(({ number }) => number)).toContain('THEIRS-0001');
    const [ours] = (await listed('batch=platform')).items;
    for (const [path, more] of [
      ['assignments', { siteId: shore.siteId }],
      ['removals', {}],
    ] as const) {
      const refused = await api.post(
        `/station-identities/${path}`,
        { identityIds: [ours?.id], ...more },
        { token: agentToken },
      );
      expect(refused.status, path).toBe(404);
    }
    const abroad = await make({ startNumber: 'X-', siteId: lake.siteId }, { token: agentToken });
    expect(abroad.envelope.message).toMatchObject({ error: 'request.invalid' });
    const { token: reader } = await api.addUser({ name: 'reader', permissions: ['station.read'] });
    expect((await make({ startNumber: 'Y-' }, { token: reader })).status).toBe(403);
  });
});
