import { readdir } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import type { Task } from '@voltdeck/contract/tasks';
import type { AgentId, TaskId } from '@voltdeck/units/id';
import { dayMs, instant } from '@voltdeck/units/instant';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sessionKeptMs } from '../caller/sessions.ts';
import { whileLocked } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { forgetOldRecords } from '../jobs/keep-time.ts';
import { startJobs } from '../jobs/run-jobs.ts';
import { attemptsMax, runTask, tickMs } from './run-task.ts';

const many = 2_400;
let api: TestApi;
let north: Place;
let south: Place;
let jobs: { stop(): Promise<void> } | null = null;

beforeAll(async () => {
  api = await openTestApi();
  north = await makePlace(api.database, await api.addAgent('north'), 'north');
  south = await makePlace(api.database, await api.addAgent('south'), 'south');
  for (const place of [north, south]) {
    await api.database.pool.query(
      `insert into orders (number, state, payment_state, payment_type, start_mode, billing_type, site_id, station_id,
                           connector_id, connector_number, agent_id, customer_id, placed_at)
       select $5 || lpad(g::text, 6, '0'), 'completed', 'paid', 'card', 'card', 'energy', $1, $2, $3, 1, $4, $6,
              now() - g * interval '1.000123 minute'
         from generate_series(1, $7) g`,
      [
        place.siteId,
        place.stationId,
        place.connectorId,
        place.agentId,
        place === north ? 'N' : 'S',
        place.customerId,
        many,
      ],
    );
  }
});
afterAll(() => api.close());
afterEach(async () => {
  await jobs?.stop();
  jobs = null;
  await api.database.db.deleteFrom('tasks').execute();
});

const start = (list = 'listOrders', query: object = {}, token?: string) =>
  api.post<Task>('/tasks/exports', { list, query }, token === undefined ? {} : { token });
const find = async (id: number, token?: string) =>
  (await api.get<Task>(`/tasks/${id}`, token === undefined ? {} : { token })).data;
const work = async () => {
  jobs = await startJobs(api.database.url, api.context);
};
const ended = (id: number) => expect.poll(async () => (await find(id)).state).not.toMatch(/waiting|running/);

/** The text of every sheet of a task's file. */
async function sheetsOf(id: number, token?: string): Promise<string> {
  const answer = await api.get(`/tasks/${id}/file`, token === undefined ? {} : { token });
  expect(answer.status).toBe(200);
  const { bytes } = answer;
  const name = 'xl/worksheets/sheet1.xml';
  const from = bytes.indexOf(name) + name.length;
  return inflateRawSync(bytes.subarray(from, bytes.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]), from))).toString();
}
const numbersIn = (sheet: string) => [...sheet.matchAll(/>([NS]\d{6})</g)].map(([, number]) => number);
const filesOnDisk = async () =>
  (await readdir(api.filesDir, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length;

describe('an export in the background', () => {
  test('a background export writes every row of the filtered list once, in its order and its user’s language', async () => {
    const started = await api.post<Task>(
      '/tasks/exports',
      { list: 'listOrders', query: { siteId: String(south.siteId), page: '3', sort: '-endedAt', number: '' } },
      { language: 'en' },
    );
    expect(started.data).toMatchObject({
      state: 'waiting',
      list: 'listOrders',
      doneCount: 0,
      totalCount: null,
      file: null,
    });
    await work();
    await ended(started.data.id);
    const task = await find(started.data.id);
    expect(task).toMatchObject({
      state: 'done',
      doneCount: many,
      totalCount: many,
      userName: 'admin',
      errorCode: null,
    });
    expect(task.file?.name).toMatch(/^Orders .*\.xlsx$/);
    const sheet = await sheetsOf(task.id);
    const numbers = numbersIn(sheet);
    expect(numbers).toHaveLength(many);
    // As the list was sorted when it was requested: none has an end, and the last one written comes first.
    expect(numbers).toEqual(Array.from({ length: many }, (_, index) => `S${String(many - index).padStart(6, '0')}`));
    expect(sheet).toContain('<t>Order number</t>');
    const { rows } = await api.database.pool.query("select after from audit_entries where action = 'order.export'");
    expect(rows.at(-1)?.after).toMatchObject({ taskId: task.id, query: { siteId: String(south.siteId) } });
  });

  test('a background export has only its user’s records, and only they and administrators see and fetch it', async () => {
    const agentId = north.agentId ?? undefined;
    const own = { scope: 'agent' as const, ...(agentId === undefined ? {} : { agentId }) };
    const asker = await api.addUser({ name: 'asker', permissions: ['order.export', 'task.read'], ...own });
    const colleague = await api.addUser({ name: 'colleague', permissions: ['order.export', 'task.read'], ...own });
    const heard: ConsoleEvent[] = [];
    const whom = new Set<unknown>();
    const stopHearing = api.context.bus.subscribe((scoped) => {
      if (scoped.event.kind !== 'task-changed') return;
      heard.push(scoped.event);
      whom.add('userId' in scoped ? scoped.userId : 'others');
    });
    const { data } = await start('listOrders', {}, asker.token);
    await work();
    await ended(data.id);
    stopHearing();
    expect(new Set(numbersIn(await sheetsOf(data.id, asker.token)).map((number) => number?.[0]))).toEqual(
      new Set(['N']),
    );
    expect(heard.map((event) => (event.kind === 'task-changed' ? event.state : null))).toEqual(
      expect.arrayContaining(['waiting', 'running', 'done']),
    );
    expect([...whom]).toEqual([asker.id]);
    expect((await api.get(`/tasks/${data.id}`, { token: colleague.token })).status).toBe(404);
    expect((await api.get(`/tasks/${data.id}/file`, { token: colleague.token })).status).toBe(404);
    expect((await api.post(`/tasks/${data.id}/cancellations`, undefined, { token: colleague.token })).status).toBe(404);
    const lists = async (token: string) => (await api.get<{ total: number }>('/tasks', { token })).data.total;
    expect([await lists(asker.token), await lists(colleague.token), await lists(api.adminToken)]).toEqual([1, 0, 1]);
  });

  test('a background export is withheld from its user after losing the permission or changing scope', async () => {
    const agentId = north.agentId ?? undefined;
    const user = await api.addUser({
      name: 'mover',
      permissions: ['order.export'],
      scope: 'agent',
      ...(agentId === undefined ? {} : { agentId }),
    });
    const { data } = await start('listOrders', {}, user.token);
    await work();
    await ended(data.id);
    const { db } = api.database;
    const fetched = async (change: { agent_id?: AgentId | null; position_id?: null }) => {
      await db.updateTable('users').set(change).where('id', '=', user.id).execute();
      api.clock.now = instant((api.clock.now ?? Date.now()) + sessionKeptMs);
      return (await api.get(`/tasks/${data.id}/file`, { token: user.token })).status;
    };
    expect(await fetched({ agent_id: north.agentId })).toBe(200);
    expect(await fetched({ agent_id: south.agentId })).toBe(403);
    expect(await fetched({ agent_id: north.agentId })).toBe(200);
    expect(await fetched({ position_id: null })).toBe(403);
    expect((await api.get(`/tasks/${data.id}/file`)).status).toBe(200);
    api.clock.now = null;
  });

  test('a background export needs the permission of the direct download and a valid filter', async () => {
    const { token } = await api.addUser({ name: 'reader', permissions: ['order.read', 'audit.read'] });
    expect((await start('listOrders', {}, token)).status).toBe(403);
    expect((await start('listAuditEntries', {}, token)).status).toBe(403);
    const faults = (answer: Awaited<ReturnType<typeof start>>) =>
      answer.envelope.message.fields?.map(({ path, code }) => `${path} ${code}`);
    expect(faults(await start('listOrders', { state: 'nonsense', colour: 'red' }))).toEqual([
      'query.state not_choice',
      'query.colour unknown_field',
    ]);
    expect(faults(await start('listEverything'))).toEqual(['list not_choice']);
    expect((await start('listAuditEntries', { kind: 'export,money' })).status).toBe(200);
  });

  test('a user may have three unfinished exports, even when all are requested at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => start()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const other = await api.addUser({ name: 'other', permissions: ['order.export'] });
    expect((await start('listOrders', {}, other.token)).status).toBe(200);
  });
});

describe('a task', () => {
  test('a waiting task is cancelled and never starts, and an ended one cannot be cancelled', async () => {
    const { data } = await start();
    const cancelled = await api.post<Task>(`/tasks/${data.id}/cancellations`);
    expect(cancelled.data).toMatchObject({ state: 'cancelled' });
    await runTask(api.context, data.id, new AbortController().signal);
    expect(await find(data.id)).toMatchObject({ state: 'cancelled', startedAt: null, file: null });
    const again = await api.post(`/tasks/${data.id}/cancellations`);
    expect(again.envelope.message).toMatchObject({ status: 409, error: 'task.not_running' });
    const file = await api.get(`/tasks/${data.id}/file`);
    expect(file.envelope.message).toMatchObject({ status: 409, error: 'task.no_file' });
  });

  /** Blocks the export where it reads the names of stations, like a slow database. */
  const whileHeld = (act: () => Promise<void>) => whileLocked(api.database.pool, 'sites', act);
  const isRunning = (id: number) => expect.poll(async () => (await find(id)).state).toBe('running');

  test('a running task stops by the next tick after its cancellation, even while it waits for the database', async () => {
    expect(tickMs).toBeLessThanOrEqual(2_000);
    const before = await filesOnDisk();
    const { data } = await start();
    // The lock is held until the export has ended, so it must end in spite of it.
    await whileHeld(async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const running = runTask(api.context, data.id, new AbortController().signal);
      await isRunning(data.id);
      await api.post(`/tasks/${data.id}/cancellations`);
      vi.advanceTimersByTime(tickMs);
      vi.useRealTimers();
      await running;
    });
    expect(await find(data.id)).toMatchObject({ state: 'cancelled', file: null, errorCode: null });
    expect(await filesOnDisk()).toBe(before);
  });

  test('a running task ends when its user is disabled', async () => {
    const user = await api.addUser({ name: 'leaver', permissions: ['order.export'] });
    const { data } = await start('listOrders', {}, user.token);
    await whileHeld(async () => {
      const running = runTask(api.context, data.id, new AbortController().signal);
      await isRunning(data.id);
      await api.database.db.updateTable('users').set({ enabled: false }).where('id', '=', user.id).execute();
      await running;
    });
    expect(await find(data.id)).toMatchObject({ state: 'failed', errorCode: 'task.user_disabled', file: null });
  });

  test('a running task ends when its user loses the right or the scope it started with', async () => {
    const agentId = north.agentId ?? undefined;
    const own = { scope: 'agent' as const, ...(agentId === undefined ? {} : { agentId }) };
    const { db } = api.database;
    for (const [name, change] of [
      ['demoted', { position_id: null }],
      ['relocated', { agent_id: south.agentId }],
    ] as const) {
      const user = await api.addUser({ name, permissions: ['order.export'], ...own });
      const { data } = await start('listOrders', {}, user.token);
      await whileHeld(async () => {
        const running = runTask(api.context, data.id, new AbortController().signal);
        await isRunning(data.id);
        await db.updateTable('users').set(change).where('id', '=', user.id).execute();
        await running;
      });
      expect(await find(data.id)).toMatchObject({ state: 'failed', errorCode: 'task.rights_lost', file: null });
    }
  });

  test('a task interrupted by closing the server is resumed by the next one, and that attempt is not counted', async () => {
    const { data } = await start();
    const closing = new AbortController();
    await whileHeld(async () => {
      const running = runTask(api.context, data.id, closing.signal);
      await isRunning(data.id);
      closing.abort();
      await running;
    });
    expect(await find(data.id)).toMatchObject({ state: 'waiting', doneCount: 0 });
    await work();
    await ended(data.id);
    expect(await find(data.id)).toMatchObject({ state: 'done', doneCount: many * 2 });
  });

  test('a task of a dead process is resumed at the next start, and given up after three attempts', async () => {
    const { db } = api.database;
    const leaveBehind = async (id: TaskId, attempts: number) => {
      await db.updateTable('tasks').set({ state: 'running', attempts, done_count: 777 }).where('id', '=', id).execute();
      await api.database.pool.query(
        `update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1 where key = $1`,
        [`task-${id}`],
      );
    };
    const [first, second] = [(await start()).data, (await start()).data];
    await leaveBehind(first.id, 1);
    await leaveBehind(second.id, attemptsMax);
    await api.database.pool.query(
      "update graphile_worker._private_job_queues set locked_by = 'dead', locked_at = now() where queue_name like 'exports-%'",
    );
    await work();
    await ended(first.id);
    await ended(second.id);
    expect(await find(first.id)).toMatchObject({ state: 'done', doneCount: many * 2 });
    expect(await find(second.id)).toMatchObject({ state: 'failed', errorCode: 'task.interrupted', file: null });
  });

  test('a task of another process stays with it when a second one starts', async () => {
    const { data } = await start();
    const { pool } = api.database;
    const hold = async () => {
      const { rows } = await pool.query<{ by: string | null; at: number; attempts: number }>(
        'select locked_by as by, locked_at as at, attempts from graphile_worker.jobs where key = $1',
        [`task-${data.id}`],
      );
      return rows[0];
    };
    const isSeenByOthers = async (worker: string | null | undefined) => {
      const { rows } = await pool.query(
        `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
          where locktype = 'advisory' and datname = current_database() and objid = hashtext($1)::oid`,
        [worker],
      );
      return rows.length > 0;
    };
    await whileHeld(async () => {
      await work();
      await isRunning(data.id);
      const first = await hold();
      expect(first).toMatchObject({ by: expect.any(String), attempts: 1 });
      await expect.poll(() => isSeenByOthers(first?.by)).toBe(true);
      const second = await startJobs(api.database.url, api.context);
      expect(await hold()).toEqual(first);
      await second.stop();
    });
    await ended(data.id);
    expect(await find(data.id)).toMatchObject({ state: 'done', doneCount: many * 2 });
  });

  test('a failing task is retried and marked as failed after the third attempt', async () => {
    const { data } = await start();
    const broken = {
      ...api.context,
      files: { ...api.context.files, put: () => Promise.reject(new Error('no space left on device')) },
    };
    const states: string[] = [];
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      await runTask(broken, data.id, new AbortController().signal);
      states.push((await find(data.id)).state);
    }
    expect(states).toEqual(['waiting', 'waiting', 'failed']);
    expect((await find(data.id)).errorCode).toBe('task.failed');
  });

  test('a task loses its file after a week and is deleted after ninety days', async () => {
    const { data } = await start('listOrders', { number: 'N000001' });
    await runTask(api.context, data.id, new AbortController().signal);
    expect((await find(data.id)).file).not.toBeNull();
    const later = (days: number) => instant(Date.now() + days * dayMs);
    await forgetOldRecords(api.database.db, later(6));
    expect((await find(data.id)).file).not.toBeNull();
    await forgetOldRecords(api.database.db, later(8));
    expect(await find(data.id)).toMatchObject({ state: 'done', file: null });
    expect((await api.get(`/tasks/${data.id}/file`)).envelope.message).toMatchObject({ error: 'task.no_file' });
    await forgetOldRecords(api.database.db, later(91));
    // The reader's session is forgotten with it, so the table is asked.
    expect(await api.database.db.selectFrom('tasks').select('id').where('id', '=', data.id).execute()).toEqual([]);
  });
});
