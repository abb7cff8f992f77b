import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { Station } from '@voltdeck/contract/stations';
import type { TaskDetail, TaskRow } from '@voltdeck/contract/tasks';
import type { AgentId, StationId, TaskId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { sessionKeptMs } from '../caller/sessions.ts';
import { addYkcStation } from '../gateways/test-ykc-station.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { startJobs } from '../jobs/run-jobs.ts';
import { stationCommandLimits } from '../stations/commands/send-station-commands.ts';
import { workersLock } from './hold-workers.ts';
import { attemptsMax, runTask } from './run-task.ts';

vi.setConfig({ testTimeout: 60_000 });

type Started = { taskId: TaskId; stations: number; skipped: number };

let api: TestApi;
let place: Place;
const ends: (() => void)[] = [];
beforeAll(async () => {
  api = await openTestApi();
  place = await makePlace(api.database, null, 'pier');
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await api.database.db.deleteFrom('tasks').execute();
});
afterAll(() => api.close());

/** A registered OCPP station that is held by a node and answers in this way; offline without an answer. */
async function station(
  number: string,
  answer?: CommandOutcome | ((command: StationCommand) => Promise<CommandOutcome>),
): Promise<{ id: StationId; asked: StationCommand[] }> {
  const made = await api.post<{ id: StationId }>('/stations', {
    number,
    name: number,
    type: 'fast',
    equipmentType: 'four-wheel',
    siteId: place.siteId,
    connectorCount: 1,
    maxPowerKw: 60,
    cardTariffId: place.tariffId,
  });
  expect(made.envelope.message).toMatchObject({ status: 200 });
  const asked: StationCommand[] = [];
  if (answer !== undefined) {
    ends.push(
      playHolder(api.context.bus, number, async (command) => {
        asked.push(command);
        return typeof answer === 'function' ? answer(command) : answer;
      }),
    );
  }
  return { id: made.data.id, asked };
}

const start = async (body: object, ask = {}) => {
  const started = await api.post<Started>('/station-commands', body, ask);
  expect(started.envelope.message).toMatchObject({ status: 200 });
  return started.data;
};
const rowsOf = async (taskId: TaskId) =>
  (await api.get<{ items: TaskRow[] }>(`/task-rows?taskId=${taskId}&pageSize=100`)).data.items;
const statesOf = async (taskId: TaskId) =>
  Object.fromEntries((await rowsOf(taskId)).map(({ label, state }) => [label, state]));
const find = async (taskId: TaskId) => (await api.get<TaskDetail>(`/tasks/${taskId}`)).data;
const run = (taskId: TaskId, closing = new AbortController()) => runTask(api.context, taskId, closing.signal);

describe('a command for many stations', () => {
  test('it reaches each station once, and each row has the answer of its station', async () => {
    const made = {
      agrees: await station('ROW-1', { kind: 'accepted' }),
      refuses: await station('ROW-2', { kind: 'rejected', reason: 'fault' }),
      silent: await station('ROW-3', { kind: 'timed-out' }),
      away: await station('ROW-4'),
      busy: await station('ROW-5', { kind: 'busy' }),
    };
    const ykc = await addYkcStation(api.database, { number: '33010600007001', siteId: place.siteId, tariffId: null });
    const stationIds = [...Object.values(made).map(({ id }) => id), ykc];
    const { taskId, ...counts } = await start({ kind: 'clear-cache', stationIds });
    expect(counts).toEqual({ stations: 6, skipped: 1 });
    expect(await find(taskId)).toMatchObject({
      kind: 'station-commands',
      state: 'waiting',
      command: 'clear-cache',
      totalCount: 6,
    });
    await run(taskId);
    expect(await statesOf(taskId)).toEqual({
      'ROW-1': 'done',
      'ROW-2': 'refused',
      'ROW-3': 'timed-out',
      'ROW-4': 'offline',
      'ROW-5': 'refused',
      '33010600007001': 'skipped',
    });
    expect((await rowsOf(taskId)).find(({ label }) => label === 'ROW-2')?.detail).toEqual({
      outcome: { kind: 'rejected', reason: 'fault' },
    });
    for (const { asked } of [made.agrees, made.refuses, made.silent, made.busy]) {
      expect(asked).toEqual([{ kind: 'clear-cache' }]);
    }
    expect(await find(taskId)).toMatchObject({
      state: 'done',
      doneCount: 6,
      totalCount: 6,
      result: { done: 1, refused: 2, offline: 1, skipped: 1, 'timed-out': 1 },
    });
    const audits = await api.database.db
      .selectFrom('audit_entries')
      .select(['record_id', 'after'])
      .where('action', '=', 'station.command.clear-cache')
      .execute();
    expect(audits).toHaveLength(5);
    expect(audits[0]?.after).toMatchObject({ taskId });
  });

  test('the billing model is sent to many stations, and one without a rule or of another protocol says so', async () => {
    const add = (number: string, tariffId: Place['tariffId'] | null = place.tariffId) =>
      addYkcStation(api.database, { number, siteId: place.siteId, tariffId });
    const answers: [string, CommandOutcome][] = [
      ['33010600007101', { kind: 'accepted' }],
      ['33010600007102', { kind: 'rejected', reason: 'already_charging' }],
    ];
    const asked: StationCommand[] = [];
    for (const [number, outcome] of answers) {
      ends.push(
        playHolder(api.context.bus, number, async (command) => {
          asked.push(command);
          return outcome;
        }),
      );
    }
    const stationIds = [
      await add('33010600007101'),
      await add('33010600007102'),
      await add('33010600007103'),
      await add('33010600007104', null),
      (await station('MODEL-1')).id,
    ];
    const { taskId, skipped } = await start({ kind: 'set-tariff', stationIds });
    expect(skipped).toBe(1);
    await run(taskId);
    const rows = new Map((await rowsOf(taskId)).map(({ label, state, detail }) => [label, { state, detail }]));
    expect(Object.fromEntries(rows)).toMatchObject({
      '33010600007101': { state: 'done' },
      '33010600007102': { state: 'refused', detail: { outcome: { kind: 'rejected', reason: 'already_charging' } } },
      '33010600007103': { state: 'offline' },
      '33010600007104': { state: 'refused', detail: { error: 'tariff.missing' } },
      'MODEL-1': { state: 'skipped', detail: { because: 'not-supported' } },
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ kind: 'set-tariff' });
    const sent = await api.get<Station>(`/stations/${stationIds[0]}`);
    expect(sent.data.runningTariff).toMatchObject({ state: 'current', outcome: 'accepted' });
  });

  test('no station is asked when its user was disabled or lost the right before it began', async () => {
    const { id, asked } = await station('LATE-1', { kind: 'accepted' });
    const { db } = api.database;
    for (const [name, change, errorCode] of [
      ['late-demoted', { position_id: null }, 'task.rights_lost'],
      ['late-leaver', { enabled: false }, 'task.user_disabled'],
    ] as const) {
      const user = await api.addUser({ name, permissions: ['station.command', 'station.read'] });
      const { taskId } = await start({ kind: 'clear-cache', stationIds: [id] }, { token: user.token });
      await db.updateTable('users').set(change).where('id', '=', user.id).execute();
      await run(taskId);
      expect(await find(taskId)).toMatchObject({ state: 'failed', errorCode, doneCount: 0 });
      expect(await statesOf(taskId)).toEqual({ 'LATE-1': 'waiting' });
    }
    expect(asked).toEqual([]);
  });

  test('the result and the answers of its stations are withheld from a user whose rights no longer reach them', async () => {
    const agentId = await api.addAgent('keeper');
    const { id } = await station('KEPT-1', { kind: 'accepted' });
    const { db } = api.database;
    await db.updateTable('stations').set({ agent_id: agentId }).where('id', '=', id).execute();
    const user = await api.addUser({ name: 'asker', permissions: ['station.command'], scope: 'agent', agentId });
    const { taskId } = await start({ kind: 'clear-cache', stationIds: [id] }, { token: user.token });
    await run(taskId);
    const told = async () => {
      api.clock.now = instant((api.clock.now ?? Date.now()) + sessionKeptMs);
      const ask = { token: user.token };
      const { result, rowCounts } = (await api.get<TaskDetail>(`/tasks/${taskId}`, ask)).data;
      const rows = (await api.get<{ items: TaskRow[] }>(`/task-rows?taskId=${taskId}`, ask)).data.items;
      expect(rowCounts).toEqual({ done: 1 });
      return { result, details: rows.map(({ detail }) => detail) };
    };
    const all = { result: { done: 1 }, details: [{ outcome: { kind: 'accepted' } }] };
    const nothing = { result: null, details: [null] };
    expect(await told()).toEqual(all);
    const change = async (set: { agent_id?: AgentId; position_id?: null }) => {
      await db.updateTable('users').set(set).where('id', '=', user.id).execute();
      return told();
    };
    expect(await change({ agent_id: await api.addAgent('other') })).toEqual(nothing);
    expect(await change({ agent_id: agentId })).toEqual(all);
    expect(await change({ position_id: null })).toEqual(nothing);
    api.clock.now = null;
    expect(await find(taskId)).toMatchObject({ result: { done: 1 } });
  });

  test('it asks all stations that a filter of the list matches, and names how many it may', async () => {
    const [one] = [await station('FILTER-1', { kind: 'accepted' }), await station('FILTER-2', { kind: 'accepted' })];
    const { taskId, stations } = await start({ kind: 'reset', mode: 'soft', query: { number: 'FILTER-', page: '3' } });
    expect(stations).toBe(2);
    await run(taskId);
    expect(await statesOf(taskId)).toEqual({ 'FILTER-1': 'done', 'FILTER-2': 'done' });
    expect(one.asked).toEqual([{ kind: 'reset', mode: 'soft' }]);
    const wrong = await api.post('/station-commands', { kind: 'reset', query: { type: 'huge' } });
    expect(wrong.envelope.message.fields).toEqual([expect.objectContaining({ path: 'query.type' })]);
    const neither = await api.post('/station-commands', { kind: 'reset' });
    expect(neither.envelope.message.fields).toEqual([
      expect.objectContaining({ path: 'stationIds', code: 'required' }),
    ]);
    const both = await api.post('/station-commands', { kind: 'reset', mode: 'soft', stationIds: [1], query: {} });
    expect(both.envelope.message.fields).toEqual([expect.objectContaining({ path: 'query', code: 'only_one' })]);
  });

  test(`at most ${stationCommandLimits.atOnce} stations are asked at once`, async () => {
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const count = stationCommandLimits.atOnce + 5;
    const stationIds: StationId[] = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await station(`PACE-${index}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
        return { kind: 'accepted' };
      });
      stationIds.push(id);
    }
    const { taskId } = await start({ kind: 'clear-cache', stationIds });
    const done = run(taskId);
    await expect.poll(() => running).toBe(stationCommandLimits.atOnce);
    expect(Object.values(await statesOf(taskId)).filter((state) => state === 'waiting')).toHaveLength(5);
    gate.resolve();
    await done;
    expect(most).toBe(stationCommandLimits.atOnce);
    expect((await find(taskId)).result).toEqual({ done: count });
  });

  test('a cancelled one asks no further station, and those already asked keep their answers', async () => {
    const gate = Promise.withResolvers<void>();
    const stations: Awaited<ReturnType<typeof station>>[] = [];
    for (let index = 0; index < stationCommandLimits.atOnce + 3; index += 1) {
      stations.push(
        await station(`STOP-${String(index).padStart(2, '0')}`, async () => {
          await gate.promise;
          return { kind: 'accepted' };
        }),
      );
    }
    const { taskId } = await start({ kind: 'clear-cache', stationIds: stations.map(({ id }) => id) });
    const done = run(taskId);
    const asked = () => stations.filter(({ asked }) => asked.length > 0).length;
    await expect.poll(asked).toBe(stationCommandLimits.atOnce);
    expect((await api.post(`/tasks/${taskId}/cancellations`)).status).toBe(200);
    await done;
    gate.resolve();
    await expect
      .poll(async () => Object.values(await statesOf(taskId)).filter((state) => state === 'done').length)
      .toBe(stationCommandLimits.atOnce);
    expect(asked()).toBe(stationCommandLimits.atOnce);
    expect((await find(taskId)).state).toBe('cancelled');
  });

  test('after a restart a command for many never asks a station again, and one asked before is shown as unknown', async () => {
    const silence = Promise.withResolvers<CommandOutcome>();
    const first = await station('AGAIN-1', () => silence.promise);
    const second = await station('AGAIN-2', { kind: 'accepted' });
    const { taskId } = await start({ kind: 'reset', mode: 'hard', stationIds: [first.id, second.id] });
    const closing = new AbortController();
    const before = run(taskId, closing);
    await expect.poll(async () => (await statesOf(taskId))['AGAIN-2']).toBe('done');
    closing.abort();
    await before;
    // The socket closes with the server.
    silence.resolve({ kind: 'offline' });
    expect(await find(taskId)).toMatchObject({ state: 'waiting' });
    await run(taskId);
    expect(await statesOf(taskId)).toEqual({ 'AGAIN-1': 'unknown', 'AGAIN-2': 'done' });
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    expect(await find(taskId)).toMatchObject({ state: 'done', doneCount: 2 });
  });

  test('where two workers carry out one task the earlier gives way, and each station is asked once', async () => {
    const stations: Awaited<ReturnType<typeof station>>[] = [];
    for (let index = 0; index < 3 * stationCommandLimits.atOnce; index += 1) {
      stations.push(await station(`TWICE-${String(index).padStart(2, '0')}`, { kind: 'accepted' }));
    }
    const { taskId } = await start({ kind: 'clear-cache', stationIds: stations.map(({ id }) => id) });
    await Promise.all([run(taskId), run(taskId)]);
    expect(await find(taskId)).toMatchObject({
      state: 'done',
      doneCount: stations.length,
      rowCounts: { done: stations.length },
    });
    expect(stations.map(({ asked }) => asked.length)).toEqual(stations.map(() => 1));
  });

  test('a task stays with its worker while the connection is lost that listens for jobs', async () => {
    const { pool } = api.database;
    const jobs = await startJobs(api.database.url, api.context);
    try {
      const stationIds: StationId[] = [];
      const answers: ((outcome: CommandOutcome) => void)[] = [];
      for (let index = 0; index < 2 * stationCommandLimits.atOnce; index += 1) {
        const { id } = await station(`DEAF-${String(index).padStart(2, '0')}`, () => {
          const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
          answers.push(resolve);
          return promise;
        });
        stationIds.push(id);
      }
      const { taskId } = await start({ kind: 'clear-cache', stationIds });
      await expect.poll(() => answers.length).toBe(stationCommandLimits.atOnce);
      await pool.query(`select graphile_worker.add_job('take-up-tasks', job_key => 'now')`);
      // It listens again a moment later, and loses that connection, too.
      const loseListener = async () => {
        await pool.query(
          `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = pg_locks.database
            where locktype = 'advisory' and datname = current_database() and classid = $1`,
          [workersLock],
        );
        return (await pool.query(`select from graphile_worker.jobs where key = 'now'`)).rows.length;
      };
      await expect.poll(loseListener, { interval: 1, timeout: 20_000 }).toBe(0);
      const { rows } = await pool.query('select attempts from tasks where id = $1', [taskId]);
      for (let answered = 0; answered < stationIds.length; answered += 1) {
        await expect.poll(() => answers.length).toBeGreaterThan(answered);
        answers[answered]?.({ kind: 'accepted' });
      }
      await expect.poll(async () => (await find(taskId)).state).toBe('done');
      expect(rows).toEqual([{ attempts: 1 }]);
      expect(await find(taskId)).toMatchObject({ result: { done: stationIds.length } });
    } finally {
      await jobs.stop();
    }
  });

  test('the stations of a finished one are asked again by the states of their rows, as a new task', async () => {
    let answers: CommandOutcome = { kind: 'rejected' };
    const [refuses, agrees] = [
      await station('RETRY-1', async () => answers),
      await station('RETRY-2', { kind: 'accepted' }),
    ];
    const { taskId } = await start({ kind: 'clear-cache', stationIds: [refuses.id, agrees.id] });
    const retry = (states: readonly string[], id = taskId) => api.post<Started>(`/tasks/${id}/retries`, { states });
    expect((await retry(['refused'])).envelope.message.error).toBe('task.running');
    await run(taskId);
    expect((await retry(['offline', 'timed-out'])).envelope.message.error).toBe('task.nothing_to_retry');
    answers = { kind: 'accepted' };
    const again = await retry(['refused', 'offline']);
    expect(again.data).toMatchObject({ stations: 1, skipped: 0 });
    await run(again.data.taskId);
    expect(await statesOf(again.data.taskId)).toEqual({ 'RETRY-1': 'done' });
    expect([refuses.asked.length, agrees.asked.length]).toEqual([2, 1]);
  });

  test('an answer that the database cannot hold as it is neither stops the task nor loses the answers of others', async () => {
    const number = (index: number) => `ODD-${String(index).padStart(2, '0')}`;
    const odd = (index: number): CommandOutcome => {
      if (index % 10 !== 0) return { kind: 'accepted' };
      const details = { 'k\0': 'v\ud800', pair: '\u{1f50c}', text: '\\u0000' };
      return index === 20
        ? { kind: 'station-error', code: 'GenericError', description: 'unstorable' }
        : { kind: 'station-error', code: 'GenericError', description: 'caf\0e\udc00', details };
    };
    const ids: StationId[] = [];
    for (let index = 0; index < 45; index += 1) ids.push((await station(number(index), odd(index))).id);
    await api.database.pool.query(
      `alter table task_rows add constraint refuse_one check (detail::text not like '%unstorable%')`,
    );
    try {
      const { taskId } = await start({ kind: 'clear-cache', stationIds: ids });
      await run(taskId);
      expect(await find(taskId)).toMatchObject({ state: 'done', doneCount: 45, result: { done: 40, refused: 5 } });
      const details = new Map((await rowsOf(taskId)).map(({ label, detail }) => [label, detail]));
      expect(details.get(number(10))).toEqual({
        outcome: {
          kind: 'station-error',
          code: 'GenericError',
          description: 'caf\u2400e\ufffd',
          details: { 'k\u2400': 'v\ufffd', pair: '\u{1f50c}', text: '\\u0000' },
        },
      });
      expect(details.get(number(20))).toEqual({ outcome: { kind: 'station-error' } });
    } finally {
      await api.database.pool.query('alter table task_rows drop constraint refuse_one');
    }
  });

  test('the stations that a failed task left waiting or without an answer are asked again', async () => {
    const stations = [await station('LEFT-1', { kind: 'accepted' }), await station('LEFT-2', { kind: 'accepted' })];
    const { taskId } = await start({ kind: 'clear-cache', stationIds: stations.map(({ id }) => id) });
    await api.database.pool.query(`update tasks set state = 'failed', ended_at = now() where id = $1`, [taskId]);
    await api.database.pool.query(`update task_rows set state = 'sent' where task_id = $1 and label = 'LEFT-1'`, [
      taskId,
    ]);
    const retry = (states: string[]) => api.post<Started>(`/tasks/${taskId}/retries`, { states });
    expect((await retry(['waiting'])).data.stations).toBe(1);
    const again = await retry(['waiting', 'sent', 'refused', 'offline', 'timed-out', 'unknown']);
    expect(again.data.stations).toBe(2);
    await run(again.data.taskId);
    expect(await statesOf(again.data.taskId)).toEqual({ 'LEFT-1': 'done', 'LEFT-2': 'done' });
  });

  test('a task that is given up or cancelled counts what it did, and a station without an answer is unknown', async () => {
    const { pool } = api.database;
    const giveUp = (taskId: TaskId) =>
      pool.query('update tasks set attempts = $2 where id = $1', [taskId, attemptsMax]);
    for (const [prefix, state, endIt] of [
      ['GIVEN', 'failed', async (taskId: TaskId) => void (await giveUp(taskId))],
      ['CANCELLED', 'cancelled', async (taskId: TaskId) => void (await api.post(`/tasks/${taskId}/cancellations`))],
    ] as const) {
      const ids: StationId[] = [];
      for (const suffix of ['1', '2', '3']) ids.push((await station(`${prefix}-${suffix}`)).id);
      const { taskId } = await start({ kind: 'clear-cache', stationIds: ids });
      // As a killed process leaves it.
      await pool.query(`update tasks set state = 'running', attempts = 1 where id = $1`, [taskId]);
      await pool.query(
        `update task_rows set state = case line when 1 then 'done' when 2 then 'sent' else 'waiting' end
          where task_id = $1`,
        [taskId],
      );
      await endIt(taskId);
      await run(taskId);
      expect(await find(taskId)).toMatchObject({ state, doneCount: 2, totalCount: 3 });
      expect(await statesOf(taskId)).toEqual({
        [`${prefix}-1`]: 'done',
        [`${prefix}-2`]: 'unknown',
        [`${prefix}-3`]: 'waiting',
      });
    }
  });

  test('an agent asks its own stations only, and one without the right to command asks none', async () => {
    const agentId = await api.addAgent('Pier agent');
    const own = await makePlace(api.database, agentId, 'own-pier');
    const agent = await api.addUser({ name: 'pier', permissions: ['station.command'], scope: 'agent', agentId });
    const reader = await api.addUser({ name: 'pier-reader', permissions: ['station.read'] });
    const ask = (stationIds: number[], token: string) =>
      api.post<Started>('/station-commands', { kind: 'clear-cache', stationIds }, { token });
    expect((await ask([own.stationId, place.stationId], agent.token)).envelope.message.error).toBe('record.not_found');
    expect((await ask([own.stationId], reader.token)).status).toBe(403);
    const all = await api.post<Started>(
      '/station-commands',
      { kind: 'clear-cache', query: {} },
      { token: agent.token },
    );
    expect(all.data.stations).toBe(1);
    expect(
      (await api.post(`/tasks/${all.data.taskId}/retries`, { states: ['offline'] }, { token: reader.token })).status,
    ).toBe(403);
  });

  test('a protocol that lacks the command in all chosen stations is refused, and so is one password for many', async () => {
    const ykc = await addYkcStation(api.database, { number: '33010600007002', siteId: place.siteId, tariffId: null });
    const lacking = await api.post('/station-commands', { kind: 'clear-cache', stationIds: [ykc] }, { language: 'en' });
    expect(lacking.envelope.message).toMatchObject({
      status: 422,
      message: 'None of the chosen stations has this command in its protocol',
    });
    const { id } = await station('SECRET-1', { kind: 'accepted' });
    const password = await api.post('/station-commands', {
      kind: 'write-configuration',
      key: 'AuthorizationKey',
      value: 'one-for-all-of-them!',
      stationIds: [id],
    });
    expect(password.envelope.message.fields).toEqual([expect.objectContaining({ path: 'key', code: 'not_for_many' })]);
  });

  test('the firmware server’s password is sealed while the task waits, and reaches the station', async () => {
    const number = '33010600007003';
    const id = await addYkcStation(api.database, { number, siteId: place.siteId, tariffId: null });
    const asked: StationCommand[] = [];
    ends.push(
      playHolder(api.context.bus, number, async (command) => {
        asked.push(command);
        return { kind: 'accepted' };
      }),
    );
    const { taskId } = await start({
      kind: 'update-firmware',
      host: '10.0.0.9',
      port: 21,
      user: 'ota',
      password: 'hunter2-ftp',
      path: '/fw.bin',
      when: 'when_idle',
      timeoutMinutes: 30,
      stationIds: [id],
    });
    const { rows } = await api.database.pool.query(
      `select (select string_agg(t::text, '') from tasks t)
              || (select string_agg(a::text, '') from audit_entries a) as kept`,
    );
    expect(rows[0]?.kept).toContain('10.0.0.9');
    expect(rows[0]?.kept).not.toContain('hunter2-ftp');
    await run(taskId);
    expect(asked).toMatchObject([{ kind: 'update-firmware', firmware: { password: 'hunter2-ftp' } }]);
  });
});
