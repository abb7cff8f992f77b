import type { ListAnswer } from '@voltdeck/contract/fields';
import type { Rehearsal, RehearsalFigure } from '@voltdeck/contract/rehearsals';
import type { TaskDetail } from '@voltdeck/contract/tasks';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { OrderId, TaskId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StoredDetail } from '../background/task-details.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, dayTariff, makeOrder, makePlace, type Place } from '../http/test-records.ts';
import { startJobs } from '../jobs/run-jobs.ts';
import { runRehearsal } from './run-rehearsal.ts';

/** Noon in Shanghai: 10 kWh at the flat price are 11 yuan. */
const noon = instant(Date.parse('2026-10-12T12:00:00+08:00'));
const october = { from: '2026-10-01T00:00:00+08:00', to: '2026-11-01T00:00:00+08:00' };
const { name: _name, ...draft } = { name: '', ...dayTariff };
const dearer = { ...draft, prices: { ...draft.prices, flat: { electricity: 100_000, service: 50_000 } } };

let api: TestApi;
let north: Place;
let south: Place;
let jobs: { stop(): Promise<void> } | null = null;
const ordersOf = new Map<Place, OrderId[]>();

beforeAll(async () => {
  api = await openTestApi();
  north = await makePlace(api.database, await api.addAgent('North'), 'north');
  south = await makePlace(api.database, await api.addAgent('South'), 'south');
  for (const [place, count] of [
    [north, 3],
    [south, 2],
  ] as const) {
    const made: OrderId[] = [];
    for (let index = 0; index < count; index += 1) made.push(await makeOrder(api.database, place, after(index)));
    ordersOf.set(place, made);
  }
  // Outside of the month, and of another kind.
  await makeOrder(api.database, north, instant(Date.parse('2026-11-02T12:00:00+08:00')));
  await makeOrder(api.database, north, after(9), { billing_type: 'hour' });
  // No rule prices a test run.
  await makeOrder(api.database, south, after(8), asTestRun);
  // Its bill is not what its readings give.
  await makeOrder(api.database, south, after(10), { amount_fen: fen(1_101), electricity_fee_fen: fen(701) });
});
afterAll(() => api.close());
afterEach(async () => {
  await jobs?.stop();
  jobs = null;
});

const after = (count: number): Instant => instant(noon + count * 40 * minuteMs);

async function rehearse(body: object, token?: string): Promise<number> {
  const answer = await api.post<{ id: number }>('/rehearsals', body, token === undefined ? {} : { token });
  expect(answer.status).toBe(200);
  jobs ??= await startJobs(api.database.url, api.context);
  await expect
    .poll(async () => (await find(`/tasks/${answer.data.id}`, token)).state, { timeout: 20_000 })
    .not.toMatch(/waiting|running/);
  return answer.data.id;
}
const find = async (path: string, token?: string) =>
  (await api.get<TaskDetail>(path, token === undefined ? {} : { token })).data;
const outcome = async (id: number, token?: string) =>
  (await api.get<Rehearsal>(`/rehearsals/${id}`, token === undefined ? {} : { token })).data;
const figures = async (id: number, by: string) => {
  const answer = await api.get<ListAnswer<RehearsalFigure>>(`/rehearsal-figures?rehearsalId=${id}&by=${by}`);
  return answer.data.items.map(({ siteName, agentName, charges, beforeFen, afterFen, differenceFen }) => [
    siteName,
    agentName,
    charges,
    beforeFen,
    afterFen,
    differenceFen,
  ]);
};

test('a rehearsal of a rule over the charges that it priced gives their revenue to the fen', async () => {
  const id = await rehearse({ ...october, tariffId: north.tariffId, usedRuleId: north.tariffId });
  expect(await find(`/tasks/${id}`)).toMatchObject({ state: 'done', kind: 'rehearsal', doneCount: 3, totalCount: 3 });
  const { result, ...rest } = await outcome(id);
  expect(rest).toMatchObject({ tariffId: north.tariffId, tariffName: 'Rule north', usedRuleName: 'Rule north' });
  expect(result).toEqual({
    charges: 3,
    energyWh: 30_000,
    beforeFen: 3_300,
    afterFen: 3_300,
    beforeElectricityFen: 2_100,
    afterElectricityFen: 2_100,
    unpriced: [],
    periods: [{ period: 'flat', beforeWh: 30_000, afterWh: 30_000, beforeFen: 3_300, afterFen: 3_300 }],
    biggest: [],
  });
});

test('a rehearsed draft shows revenue by period, agent and site, the biggest differences, and what it left out', async () => {
  const id = await rehearse({ ...october, draft: dearer, draftName: 'Dearer' });
  const { result, tariffName, tariffId } = await outcome(id);
  expect([tariffName, tariffId]).toEqual(['Dearer', null]);
  expect(result).toMatchObject({
    charges: 5,
    beforeFen: 5_500,
    afterFen: 7_500,
    unpriced: [{ reason: 'not_reproduced', charges: 1, amountFen: 1_101 }],
    periods: [{ period: 'flat', beforeFen: 5_500, afterFen: 7_500 }],
  });
  expect(result?.biggest).toHaveLength(5);
  expect(result?.biggest[0]).toMatchObject({ orderId: ordersOf.get(north)?.[0], beforeFen: 1_100, afterFen: 1_500 });
  expect(await figures(id, 'agent')).toEqual([
    [null, 'North', 3, 3_300, 4_500, 1_200],
    [null, 'South', 2, 2_200, 3_000, 800],
  ]);
  expect(await figures(id, 'site')).toEqual([
    ['Site north', 'North', 3, 3_300, 4_500, 1_200],
    ['Site south', 'South', 2, 2_200, 3_000, 800],
  ]);
});

test('a rehearsal may be narrowed to an agent or a site', async () => {
  const byAgent = await rehearse({ ...october, draft: dearer, agentId: south.agentId });
  expect((await outcome(byAgent)).result).toMatchObject({ charges: 2, beforeFen: 2_200 });
  const bySite = await rehearse({ ...october, draft: dearer, siteId: north.siteId });
  expect((await outcome(bySite)).result).toMatchObject({ charges: 3, beforeFen: 3_300 });
});

test('an agent rehearses its own charges only, and nobody else sees it but administrators', async () => {
  const own = {
    permissions: ['tariff.rehearse', 'tariff.read'] as const,
    scope: 'agent' as const,
    agentId: south.agentId ?? undefined,
  };
  const { token } = await api.addUser({ name: 'south', ...own, permissions: [...own.permissions] } as never);
  const colleague = await api.addUser({ name: 'south2', ...own, permissions: [...own.permissions] } as never);
  const id = await rehearse({ ...october, draft: dearer }, token);
  expect((await outcome(id, token)).result).toMatchObject({ charges: 2, beforeFen: 2_200, afterFen: 3_000 });
  expect((await api.get(`/rehearsals/${id}`, { token: colleague.token })).status).toBe(404);
  expect((await api.get(`/rehearsals/${id}`)).status).toBe(200);
  const asked = await api.post(
    '/rehearsals',
    { ...october, tariffId: north.tariffId, siteId: north.siteId, agentId: north.agentId },
    { token },
  );
  expect(asked.envelope.message.fields?.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'tariffId unknown_reference',
    'agentId unknown_reference',
    'siteId unknown_reference',
  ]);
});

test('a rehearsal is refused without a rule, with two, with a faulty draft, and over more than a year', async () => {
  const faults = async (body: object) => {
    const { status, envelope } = await api.post('/rehearsals', body);
    expect(status).toBe(422);
    return envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
  };
  expect(await faults(october)).toEqual(['tariffId required']);
  expect(await faults({ ...october, tariffId: north.tariffId, draft })).toEqual(['tariffId only_one']);
  expect(await faults({ from: october.to, to: october.from, draft })).toEqual(['to not_after_start']);
  expect(await faults({ from: '2025-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', draft })).toEqual([
    'to too_many_days',
  ]);
  const broken: Tariff = { ...dayTariff, slots: dayTariff.slots.slice(0, 1) };
  expect(await faults({ ...october, draft: broken })).toEqual(['draft.slots.0.end tariff.slot_gap']);
});

test('a cancelled rehearsal stores nothing and can be started again', async () => {
  const started = await api.post<{ id: number }>('/rehearsals', { ...october, draft: dearer });
  await api.post(`/tasks/${started.data.id}/cancellations`);
  jobs = await startJobs(api.database.url, api.context);
  const again = await rehearse({ ...october, draft: dearer });
  expect((await outcome(started.data.id)).result).toBeNull();
  expect(await figures(started.data.id, 'site')).toEqual([]);
  expect((await outcome(again)).result?.charges).toBe(5);
});

test('the consoles of a user hear of a rehearsal when it is started, and once when the request is repeated', async () => {
  const heard: unknown[] = [];
  const stopHearing = api.context.bus.subscribe((scoped) => {
    if (scoped.event.kind === 'task-changed') heard.push(scoped);
  });
  const start = () => api.post<{ id: number }>('/rehearsals', { ...october, draft: dearer }, { key: 'started-twice' });
  const { data } = await start();
  expect((await start()).data).toEqual(data);
  stopHearing();
  const event = { kind: 'task-changed', taskId: data.id, state: 'waiting', doneCount: 0, totalCount: null };
  expect(heard).toEqual([expect.objectContaining({ userId: expect.any(Number), event })]);
  await api.post(`/tasks/${data.id}/cancellations`);
});

test('a rehearsal whose charges cannot be counted in time still prices them all', async () => {
  const { id } = (await api.post<{ id: TaskId }>('/rehearsals', { ...october, draft: dearer })).data;
  const task = await api.database.db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const context = api.context.on('console');
  const db = context.database.db.withPlugin({
    transformQuery({ node }) {
      const isCount = node.kind === 'RawNode' && node.sqlFragments.some((part) => part.includes('count(*)'));
      if (isCount) throw new Error('canceling statement due to statement timeout');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const progress = { doneCount: 0, totalCount: null };
  let finished: unknown = null;
  const outcome = await runRehearsal(
    { ...context, database: { ...context.database, db } },
    {
      id,
      userId: task.user_id,
      language: 'en',
      attempt: 1,
      detail: task.detail as StoredDetail<'rehearsal'>,
      progress,
      signal: new AbortController().signal,
      finishIn: async (_, { result }) => {
        finished = result;
      },
    },
  );
  expect(outcome).toBe('finished');
  expect(finished).toMatchObject({ charges: 5 });
  expect(progress).toEqual({ doneCount: 6, totalCount: 6 });
  await api.post(`/tasks/${id}/cancellations`);
});

test('the figures by site and agent of a user’s last twenty rehearsals are kept, and the totals of all', async () => {
  const first = await rehearse({ ...october, draft: dearer });
  const copies = `
    with copied as (
      insert into tasks (user_id, kind, state, subject, detail, result, language, created_at, ended_at)
      select user_id, kind, state, subject, detail, result, language, created_at, ended_at from tasks, generate_series(1, $2::int) where id = $1
      returning id)
    insert into rehearsal_figures (task_id, by, site_id, charges, energy_wh, before_fen, after_fen)
    select id, 'site', 1, 1, 1, 1, 1 from copied`;
  await api.database.pool.query(copies, [first, 18]);
  await rehearse({ ...october, draft: dearer });
  expect(await figures(first, 'site')).toHaveLength(2);
  await rehearse({ ...october, draft: dearer });
  expect(await figures(first, 'site')).toEqual([]);
  expect((await outcome(first)).result?.charges).toBe(5);
});
