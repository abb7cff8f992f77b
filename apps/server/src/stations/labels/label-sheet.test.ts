import { downloadedLabelsMax, sheetLabelsMax } from '@voltdeck/contract/connectors';
import { type LabelFormat, labelFormatNames } from '@voltdeck/contract/label-formats';
import type { Task } from '@voltdeck/contract/tasks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { makePlace, type Place } from '../../http/test-records.ts';
import { startJobs } from '../../jobs/run-jobs.ts';
import { readSheet } from './test-pdf.ts';

const stations = 30;
let api: TestApi;
let lake: Place;
let shore: Place;
let shoreToken: string;
let jobs: { stop(): Promise<void> } | null = null;

beforeAll(async () => {
  api = await openTestApi();
  lake = await makePlace(api.database, null, 'lake');
  const agentId = await api.addAgent('Shore');
  shore = await makePlace(api.database, agentId, 'shore');
  ({ token: shoreToken } = await api.addUser({
    name: 'shore',
    permissions: ['connector.read'],
    scope: 'agent',
    agentId,
  }));
  await api.database.pool.query(`update sites set name = '垟边路地下停车场' where id = $1`, [lake.siteId]);
  await addStations(lake, '320106', stations);
});
afterEach(async () => {
  await jobs?.stop();
  jobs = null;
});
afterAll(() => api.close());

/** Stations of two ports each. */
async function addStations({ siteId }: Place, prefix: string, count: number): Promise<void> {
  await api.database.pool.query(
    `with made as (
       insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w, created_at)
       select $2 || lpad(g::text, 8, '0'), g || ' 号直流快充桩', 'fast', 'four-wheel', 'ykc', $1, 120000, now()
         from generate_series(1, $3::integer) g
       returning id)
     insert into connectors (station_id, number, name)
     select id, port, port::text from made cross join generate_series(1, 2) port`,
    [siteId, prefix, count],
  );
}

const sheet = (query: string, token = api.adminToken) =>
  api.get(`/connectors/labels?${query}`, { token, language: 'en' });
const expectedCodes = Array.from(
  { length: stations * 2 },
  (_, index) => `320106${String(Math.floor(index / 2) + 1).padStart(8, '0')}-${(index % 2) + 1}`,
);
const spaceless = (text: string) => text.replaceAll(/\s/g, '');

test.each(labelFormatNames)(
  'the labels of sixty gun ports as %s are a PDF without pictures, whose codes are read from its pages and whose text is Chinese',
  { timeout: 120_000 },
  async (format) => {
    const { status, bytes, headers } = await api.get(
      `/connectors/labels?siteId=${lake.siteId}&stationNumber=320106&format=${format}`,
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/pdf');
    const pages = await readSheet(bytes, format);
    expect(pages.flatMap(({ codes }) => codes)).toEqual(expectedCodes);
    const kinds = new Set(pages.flatMap((page) => page.kinds));
    expect(kinds).toEqual(new Set(['path', 'text']));
    const text = spaceless(pages.map((page) => page.text).join(''));
    for (const station of [1, 15, stations]) expect(text).toContain(`${station}号直流快充桩`);
    for (const part of ['垟边路地下停车场', '1号枪', '2号枪', ...expectedCodes]) expect(text).toContain(part);
    expect(bytes.length).toBeLessThan(stations * 2 * 2_000);
  },
);

test('a sheet has the chosen ports only, in the language of its user, and the audit log says who made it', async () => {
  const { data } = await api.get<{ items: { id: number; qrText: string }[] }>(
    `/connectors?stationNumber=320106&pageSize=100`,
  );
  const chosen = [data.items[3], data.items[40]].flatMap((port) => port ?? []);
  const named = { name: 'Left', bayNumber: 'C-08' };
  expect((await api.ask('PUT', `/connectors/${chosen[0]?.id}`, { body: named })).status).toBe(200);
  const { bytes, headers } = await api.get(
    `/connectors/labels?format=a4-2x5&connectorIds=${chosen.map(({ id }) => id).join(',')}`,
    { language: 'en' },
  );
  expect(decodeURIComponent(String(headers['content-disposition']))).toMatch(/QR code labels .*\.pdf$/);
  const pages = await readSheet(bytes, 'a4-2x5');
  expect(spaceless(pages[0]?.text ?? '')).toContain('BayC-08');
  expect(pages.flatMap(({ codes }) => codes)).toEqual(chosen.map(({ qrText }) => qrText));
  expect(pages[0]?.text).toMatch(/Port \d/);
  const { rows } = await api.database.pool.query(
    `select after from audit_entries where action = 'connector.labels' order by id desc limit 1`,
  );
  expect(rows[0]?.after).toMatchObject({ labels: 2, format: 'a4-2x5' });
});

test('a port of another agent is on no sheet of this one', async () => {
  const foreign = await sheet(`format=50x70&connectorIds=${shore.connectorId},${lake.connectorId}`, shoreToken);
  expect(foreign.envelope.message).toMatchObject({ status: 404 });
  const own = await sheet('format=50x70', shoreToken);
  const pages = await readSheet(own.bytes, '50x70');
  expect(pages.flatMap(({ codes }) => codes)).toEqual([`${shore.stationNumber}-1`, `${shore.stationNumber}-2`]);
  const started = await api.post(
    '/tasks/label-sheets',
    { format: '50x70', connectorIds: [lake.connectorId] },
    { token: shoreToken },
  );
  expect(started.envelope.message).toMatchObject({ status: 404 });
});

test('a sheet without ports, with too many, or with an unknown format is refused with a message that says what to do', async () => {
  expect((await sheet('format=50x70&stationNumber=nowhere')).envelope.message.message).toBe(
    'No gun ports match. Change the selection or the filter',
  );
  expect((await sheet('format=a3')).status).toBe(422);
  expect((await sheet('format=50x70&connectorIds=1,x')).status).toBe(422);
  const crowd = await makePlace(api.database, null, 'crowd');
  await addStations(crowd, '990106', downloadedLabelsMax / 2);
  expect((await sheet(`format=50x70&siteId=${crowd.siteId}`)).envelope.message.message).toContain(
    `at most ${downloadedLabelsMax}`,
  );
  const both = { format: '50x70', connectorIds: [lake.connectorId], query: {} };
  for (const body of [both, { format: '50x70' }, { format: 'a3', query: {} }, { format: '50x70', query: { x: '1' } }]) {
    expect((await api.post('/tasks/label-sheets', body)).status, JSON.stringify(body)).toBe(422);
  }
  expect((await api.post('/tasks/label-sheets', both)).envelope.message).toMatchObject({
    fields: [{ path: 'query', code: 'only_one' }],
  });
  await addStations(crowd, '980106', sheetLabelsMax / 2);
  const tooMany = await api.post(
    '/tasks/label-sheets',
    { format: '50x70', query: { siteId: String(crowd.siteId) } },
    { language: 'en' },
  );
  expect(tooMany.envelope.message.message).toContain(`at most ${sheetLabelsMax}`);
  await api.database.pool.query('delete from stations where site_id = $1', [crowd.siteId]);
});

test('a large sheet is drawn in the background, with its progress, and fetched when it is done', {
  timeout: 120_000,
}, async () => {
  const query = { siteId: String(lake.siteId), stationNumber: '320106' };
  const { data } = await api.post<{ taskId: number; labels: number }>('/tasks/label-sheets', {
    format: '40x60' satisfies LabelFormat,
    query,
  });
  expect(data.labels).toBe(stations * 2);
  jobs = await startJobs(api.database.url, api.context);
  const task = async () => (await api.get<Task>(`/tasks/${data.taskId}`)).data;
  await expect.poll(async () => (await task()).state, { timeout: 60_000, interval: 100 }).toBe('done');
  expect(await task()).toMatchObject({ doneCount: stations * 2, file: { name: expect.stringMatching(/\.pdf$/) } });
  const { bytes, headers } = await api.get(`/tasks/${data.taskId}/file`);
  expect(headers['content-type']).toBe('application/pdf');
  const pages = await readSheet(bytes, '40x60');
  expect(pages.flatMap(({ codes }) => codes)).toEqual(expectedCodes);
});
