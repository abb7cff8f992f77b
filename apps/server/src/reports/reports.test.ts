import { queryToKeep } from '@voltdeck/contract/filter-set-query';
import { type Report, type ReportRun, reportLimits } from '@voltdeck/contract/reports';
import type { FilterSet } from '@voltdeck/contract/views';
import type { AgentId, TaskId, UserId } from '@voltdeck/units/id';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  minuteMs,
  parseShanghaiDate,
  secondMs,
  shanghaiDayStart,
  toIso,
} from '@voltdeck/units/instant';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { unfinishedMax } from '../background/start-task.ts';
import type { Context } from '../context.ts';
import { whileChanging } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import type { Mail } from '../mail/mail-sender.ts';
import { createSmtpSender } from '../mail/smtp-sender.ts';
import { startTestSmtp, type TestSmtp } from '../mail/test-smtp.ts';
import { runTask } from '../tasks/run-task.ts';
import { reportTriesMax, runReports } from './run-reports.ts';

let api: TestApi;
let smtp: TestSmtp;
let context: Context<never>;
let alpha: Place;
let alphaId: AgentId;
let clerk: { id: UserId; token: string };
let other: { id: UserId; token: string };
const rights = ['report.read', 'report.edit', 'total.read', 'task.read'] as const;
/** 08:00 in China on the day after the charges. */
const day = parseShanghaiDate('2026-08-25') as Instant;
const eight = instant(day + dayMs + 8 * hourMs);

beforeAll(async () => {
  smtp = await startTestSmtp();
  api = await openTestApi();
  context = { ...api.context, mail: createSmtpSender(smtp.settings) };
  alphaId = await api.addAgent('alpha');
  alpha = await makePlace(api.database, alphaId, 'alpha');
  const beta = await makePlace(api.database, await api.addAgent('beta'), 'beta');
  clerk = await api.addUser({ name: 'clerk', permissions: rights, scope: 'agent', agentId: alphaId });
  other = await api.addUser({ name: 'other', permissions: rights, scope: 'agent', agentId: alphaId });
  for (const place of [alpha, beta]) {
    const bill = { electricityFeeFen: 500, serviceFeeFen: 200 };
    await makeSettledOrder(api.database, place, { ...bill, settledAt: instant(day + 12 * hourMs) });
  }
});
beforeEach(async () => {
  api.clock.now = instant(day + 20 * hourMs);
  smtp.fault = 'none';
  smtp.gate = Promise.resolve();
  smtp.mails = [];
  await api.database.pool.query('delete from reports');
});
afterAll(async () => {
  await api.close();
  await smtp.close();
});

/** What the console keeps of a screen that shows the orders of today. */
function keptToday(): string {
  const start = shanghaiDayStart(api.clock.now ?? day);
  const today = { from: toIso(start), to: toIso(instant(start + dayMs - 1_000)) };
  return queryToKeep(new URLSearchParams(today), ['from', 'to', 'sort'], api.clock.now ?? day);
}

async function filterOf(token: string, list = '/totals#site', query = keptToday()): Promise<FilterSet> {
  const kept = await api.ask<FilterSet>('PUT', '/list-views/filter-sets', {
    token,
    body: { list, name: 'Sites', query },
  });
  expect(kept.status).toBe(200);
  return kept.data;
}

async function reportOf(token = clerk.token, more: object = {}): Promise<Report> {
  const { id } = await filterOf(token);
  const body = {
    name: 'Sites daily',
    filterSetId: id,
    emails: 'boss@example.com',
    language: 'en',
    format: 'csv',
    ...more,
  };
  const made = await api.post<Report>('/reports', body, { token });
  expect(made.status, made.text).toBe(200);
  return made.data;
}

const runsOf = async ({ id }: Report, token = clerk.token) =>
  (await api.get<{ items: ReportRun[] }>(`/reports/${id}/runs`, { token })).data.items;

/** Has the workers write the files that reports wait for. */
async function writeFiles(): Promise<void> {
  const { rows } = await api.database.pool.query<{ id: TaskId }>(`select id from tasks where state = 'waiting'`);
  for (const { id } of rows) await runTask(api.context, id, new AbortController().signal);
}

/** From a time that a report is due to the end of its run. */
async function turn(at: Instant = eight): Promise<void> {
  api.clock.now = at;
  await runReports(context);
  await writeFiles();
  await runReports(context);
}

test('a report that is due is mailed with its file, for the day before and its owner’s sites', async () => {
  const report = await reportOf();
  expect(report).toMatchObject({
    list: 'listTotals',
    nextAt: toIso(eight),
    nextFrom: '2026-08-25',
    nextTo: '2026-08-25',
  });
  await runReports(context);
  expect(await runsOf(report)).toEqual([]);
  await turn();
  const [run, ...more] = await runsOf(report);
  expect(more).toEqual([]);
  expect(run).toMatchObject({
    state: 'done',
    from: '2026-08-25',
    isAsked: false,
    mails: [{ email: expect.any(String), state: 'sent' }],
  });
  expect(smtp.mails.map(({ to }) => to)).toEqual(['boss@example.com']);
  const raw = smtp.mails[0]?.raw ?? '';
  expect(raw).toContain('Sites daily (2026-08-25 to 2026-08-25)');
  expect(raw).toContain('1 rows');
  const { rows } = await api.database.pool.query(
    `select f.key from tasks t join files f on f.id = t.file_id where t.id = $1`,
    [run?.taskId],
  );
  expect(rows).toHaveLength(1);
  expect((await api.get<{ items: Report[] }>('/reports', { token: clerk.token })).data.items[0]).toMatchObject({
    nextAt: toIso(instant(eight + dayMs)),
  });
});

test('the only figures of a mail are those of its file, whatever is settled until it is sent', async () => {
  await reportOf();
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  const bill = { electricityFeeFen: 900, serviceFeeFen: 77, settledAt: instant(day + 13 * hourMs) };
  await makeSettledOrder(api.database, alpha, bill);
  const mails: Mail[] = [];
  const keeping = async (mail: Mail) => {
    mails.push(mail);
    return { outcome: 'sent' } as const;
  };
  await runReports({ ...context, mail: keeping });
  expect(mails).toHaveLength(1);
  const [{ subject, text, attachment } = { subject: '', text: '', attachment: null }] = mails;
  const file = attachment?.bytes.toString() ?? '';
  expect(file).toContain('7.00');
  expect(file).not.toContain('16.77');
  const told = text
    .replace(subject, '')
    .replaceAll('2026-08-25', '')
    .replace(attachment?.name ?? '', '');
  expect(told.match(/\d+/g)).toEqual(['1']);
});

test('however many nodes find a report due, it is made and mailed once', async () => {
  const report = await reportOf(clerk.token, { emails: 'one@example.com, two@example.com' });
  const tasks = async () => (await api.database.pool.query(`select 1 from tasks`)).rowCount ?? 0;
  const before = await tasks();
  api.clock.now = eight;
  const nodes = () => Promise.all(Array.from({ length: 4 }, () => runReports(context)));
  await nodes();
  await writeFiles();
  // One of them may have looked for the file before it was there.
  api.clock.now = instant(eight + minuteMs);
  await nodes();
  await nodes();
  expect(await runsOf(report)).toHaveLength(1);
  expect(smtp.mails.map(({ to }) => to).toSorted()).toEqual(['one@example.com', 'two@example.com']);
  expect(await tasks()).toBe(before + 1);
});

test('a node that dies between handing a mail over and noting it leads to the same mail again, and to no third', async () => {
  const report = await reportOf();
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  // It never hears what became of its mail.
  const dying = {
    ...context,
    mail: async (mail: Mail) => {
      await context.mail?.(mail);
      return new Promise<never>(() => undefined);
    },
  };
  void runReports(dying);
  await expect.poll(() => smtp.mails).toHaveLength(1);
  await runReports(context);
  expect(smtp.mails).toHaveLength(1);
  api.clock.now = instant(eight + 11 * minuteMs);
  await runReports(context);
  expect(smtp.mails).toHaveLength(2);
  const ids = smtp.mails.map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1]);
  expect(ids[0]).toBe(ids[1]);
  api.clock.now = instant(eight + hourMs);
  await runReports(context);
  expect(smtp.mails).toHaveLength(2);
  expect(await runsOf(report)).toMatchObject([{ state: 'done' }]);
});

test('a time that passed while no server ran is made up for once, for the latest one and not the oldest', async () => {
  const report = await reportOf();
  const latest = instant(eight + 3 * dayMs);
  await turn(instant(latest + hourMs));
  expect(await runsOf(report)).toMatchObject([
    { dueAt: toIso(latest), from: '2026-08-28', to: '2026-08-28', state: 'done' },
  ]);
  expect(smtp.mails).toHaveLength(1);
  expect((await api.get<{ items: Report[] }>('/reports', { token: clerk.token })).data.items[0]).toMatchObject({
    nextAt: toIso(instant(latest + dayMs)),
  });
});

test('a mail server that asks for patience is tried again a bounded number of times, and the run says why it failed', async () => {
  const report = await reportOf();
  smtp.fault = 'later';
  await turn();
  expect(await runsOf(report)).toMatchObject([{ state: 'mailing', mails: [{ state: 'waiting', tries: 1 }] }]);
  for (let later = 1; later < 12; later++) {
    api.clock.now = instant(eight + later * 3 * hourMs);
    if (api.clock.now >= eight + dayMs) break;
    await runReports(context);
  }
  const [run] = await runsOf(report);
  expect(run).toMatchObject({
    state: 'failed',
    errorCode: 'report.mail_failed',
    mails: [{ state: 'failed', tries: reportTriesMax, errorCode: 'report.mail_refused' }],
  });
  expect(run?.mails[0]?.problem).toContain('451');
});

test('a mail that may have arrived is not sent again by itself, and the history says so', async () => {
  const report = await reportOf();
  let taken = 0;
  const doubtful: Context<'console'> = {
    ...context,
    mail: async () => {
      taken += 1;
      return { outcome: 'unknown', detail: 'did not come to its end within 180 s' };
    },
  };
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  for (let later = 0; later < 4; later++) {
    await runReports(doubtful);
    api.clock.now = instant((api.clock.now ?? eight) + 3 * hourMs);
  }
  expect(taken).toBe(1);
  expect(await runsOf(report)).toMatchObject([
    {
      state: 'failed',
      errorCode: 'report.mail_unknown',
      mails: [
        {
          state: 'unknown',
          tries: 1,
          errorCode: 'report.mail_unknown',
          problem: 'did not come to its end within 180 s',
        },
      ],
    },
  ]);
});

test('a mail server that hangs keeps one call for one mail, and neither the runs and files nor the mails of others', async () => {
  const handedOver: string[] = [];
  const hanging: Context<'console'> = {
    ...context,
    mail: async ({ to }) => {
      handedOver.push(to);
      api.clock.now = instant((api.clock.now ?? eight) + 3 * minuteMs);
      return { outcome: 'later', detail: 'did not come to its end within 180 s' };
    },
  };
  const many = Array.from({ length: 20 }, (_, at) => `a${at}@example.com`).join(',');
  await reportOf(clerk.token, { emails: many });
  api.clock.now = eight;
  await runReports(hanging);
  await writeFiles();
  api.clock.now = instant(eight - hourMs);
  const { id: filterSetId } = await filterOf(other.token);
  const form = { name: 'Late', filterSetId, emails: 'boss@example.com', format: 'csv' };
  const { data: late } = await api.post<Report>('/reports', form, { token: other.token });
  api.clock.now = eight;
  await runReports(hanging);
  expect(handedOver).toEqual(['a0@example.com']);
  expect(await runsOf(late, other.token)).toMatchObject([{ state: 'writing' }]);
  await writeFiles();
  // The others' first mail goes before the second try of any of these, though all of these were due before.
  for (let call = 0; call < 2; call++) await runReports(hanging);
  expect(handedOver).toHaveLength(3);
  expect(handedOver).toContain('boss@example.com');
});

/** Hand-overs that take ten seconds each, and whom they went to. */
function slowHandOvers(): { slow: Context<'console'>; handedOver: string[] } {
  const handedOver: string[] = [];
  const mail = async ({ to }: Mail) => {
    handedOver.push(to);
    api.clock.now = instant((api.clock.now ?? eight) + 10 * secondMs);
    return { outcome: 'sent' } as const;
  };
  return { slow: { ...context, mail }, handedOver };
}

test('a call stops to begin hand-overs after a while, and the next one goes on', async () => {
  const emails = Array.from({ length: 6 }, (_, at) => `a${at}@example.com`);
  const report = await reportOf(clerk.token, { emails: emails.join(',') });
  const { slow, handedOver } = slowHandOvers();
  api.clock.now = eight;
  await runReports(slow);
  await writeFiles();
  await runReports(slow);
  expect(handedOver).toEqual(emails.slice(0, 4));
  expect(await runsOf(report)).toMatchObject([{ state: 'mailing' }]);
  await runReports(slow);
  expect(handedOver).toEqual(emails);
  expect(await runsOf(report)).toMatchObject([{ state: 'done' }]);
});

test('a mail that becomes due while a call sends others is the next call’s', async () => {
  const report = await reportOf(clerk.token, { emails: 'one@example.com, two@example.com, three@example.com' });
  smtp.fault = 'later';
  await turn();
  const soon = new Date(eight + minuteMs + 5 * secondMs);
  await api.database.pool.query(`update report_mails set next_at = $1 where email like 'three%'`, [soon]);
  const { slow, handedOver } = slowHandOvers();
  api.clock.now = instant(eight + minuteMs);
  await runReports(slow);
  expect(handedOver).toEqual(['one@example.com', 'two@example.com']);
  await runReports(slow);
  expect(handedOver).toEqual(['one@example.com', 'two@example.com', 'three@example.com']);
  expect(await runsOf(report)).toMatchObject([{ state: 'done' }]);
});

test('a report that waits for room among its owner’s tasks uses up no tries, however many are due at one hour', async () => {
  const reports: Report[] = [];
  const wanted = unfinishedMax * (reportTriesMax + 2);
  for (let at = 0; at < wanted; at++) reports.push(await reportOf(clerk.token, { name: `Report ${at}`, emails: '' }));
  for (let call = 0; call <= wanted / unfinishedMax; call++) {
    api.clock.now = instant(eight + call * minuteMs);
    await runReports(context);
    await writeFiles();
  }
  const runs = (await Promise.all(reports.map((report) => runsOf(report)))).flat();
  expect(runs).toHaveLength(wanted);
  expect(runs.filter(({ state, tries }) => state !== 'done' || tries > 0)).toEqual([]);
});

/** The task centre's files, of which `isBroken` says which opening fails, counted from 1. */
function breaking(isBroken: (opening: number) => boolean): Context<'console'> {
  let openings = 0;
  const open = async (key: string) => {
    openings += 1;
    if (isBroken(openings)) throw new Error('the disk is gone');
    return context.files.open(key);
  };
  return { ...context, files: { ...context.files, open } };
}

test('a mail that breaks off does not stop those behind it, and is tried again', async () => {
  const report = await reportOf(clerk.token, { emails: 'one@example.com, two@example.com' });
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  const broken = breaking((opening) => opening === 1);
  await runReports(broken);
  expect(smtp.mails.map(({ to }) => to)).toEqual(['two@example.com']);
  expect(await runsOf(report)).toMatchObject([
    { state: 'mailing', mails: [{ state: 'waiting', tries: 1, errorCode: 'report.failed' }, { state: 'sent' }] },
  ]);
  api.clock.now = instant(eight + minuteMs);
  await runReports(broken);
  expect(smtp.mails.map(({ to }) => to)).toEqual(['two@example.com', 'one@example.com']);
  expect(await runsOf(report)).toMatchObject([{ state: 'done', errorCode: null }]);
});

test('a mail that breaks off each time fails after its tries, and one whose hand-over broke off may have arrived', async () => {
  const report = await reportOf(clerk.token, { emails: 'one@example.com, two@example.com' });
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  const dying = async ({ to }: Mail) => {
    throw new Error(`${to} breaks the connection`);
  };
  const broken = { ...breaking((opening) => opening !== 2), mail: dying };
  for (let call = 0; call <= reportTriesMax; call++) {
    await runReports(broken);
    api.clock.now = instant((api.clock.now ?? eight) + 3 * hourMs);
  }
  expect(await runsOf(report)).toMatchObject([
    {
      state: 'failed',
      errorCode: 'report.mail_failed',
      tries: 0,
      mails: [
        { state: 'failed', tries: reportTriesMax, errorCode: 'report.failed' },
        { state: 'unknown', tries: 1, problem: null },
      ],
    },
  ]);
});

test('a run that failed leaves no mail waiting', async () => {
  const report = await reportOf();
  api.clock.now = eight;
  await runReports(context);
  await writeFiles();
  await api.database.pool.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise exception 'no hand-over'; end $$;
    create trigger break_off before update on report_mails for each row when (new.state = 'waiting')
      execute function break_off();
  `);
  try {
    for (let call = 0; call <= reportTriesMax; call++) {
      await runReports(context);
      api.clock.now = instant((api.clock.now ?? eight) + 3 * hourMs);
    }
  } finally {
    await api.database.pool.query('drop function break_off cascade');
  }
  expect(await runsOf(report)).toMatchObject([
    { state: 'failed', errorCode: 'report.failed', mails: [{ state: 'failed', errorCode: 'report.failed' }] },
  ]);
});

test('a report runs with the rights that its owner has at that time, and says why it does not', async () => {
  const report = await reportOf();
  const set = (sql: string) => api.database.pool.query(sql, [clerk.id]);
  const { rows } = await set('select position_id from users where id = $1');
  await set(`update users set enabled = false where id = $1`);
  await turn();
  const seenBy = (await api.get<{ items: ReportRun[] }>(`/reports/${report.id}/runs`)).data.items;
  expect(seenBy).toMatchObject([{ state: 'failed', errorCode: 'task.user_disabled', taskId: null }]);
  await set(`update users set enabled = true, position_id = null where id = $1`);
  await turn(instant(eight + dayMs));
  expect((await api.get<{ items: ReportRun[] }>(`/reports/${report.id}/runs`)).data.items[0]).toMatchObject({
    state: 'failed',
    errorCode: 'task.rights_lost',
  });
  await api.database.pool.query('update users set position_id = $2 where id = $1', [clerk.id, rows[0].position_id]);
  // Rights that go between the file and its mail end the mail.
  api.clock.now = instant(eight + 2 * dayMs);
  await runReports(context);
  await writeFiles();
  await set(`update users set enabled = false where id = $1`);
  await runReports(context);
  expect(smtp.mails).toEqual([]);
  await set(`update users set enabled = true where id = $1`);
});

test('a file is not mailed once its owner no longer reaches all that it holds', async () => {
  const report = await reportOf();
  smtp.fault = 'later';
  await turn();
  expect(smtp.mails).toEqual([]);
  const { rows } = await api.database.pool.query<{ agent_id: AgentId | null }>(
    'select agent_id from users where id = $1',
    [clerk.id],
  );
  const moveTo = (agentId: AgentId | null) =>
    api.database.pool.query(
      `with moved as (update users set agent_id = $2 where id = $1 returning position_id)
       update positions set agent_id = $2 where id = (select position_id from moved)`,
      [clerk.id, agentId],
    );
  await moveTo(await api.addAgent('elsewhere'));
  smtp.fault = 'none';
  api.clock.now = instant(eight + 5 * minuteMs);
  await runReports(context);
  expect(smtp.mails).toEqual([]);
  const { rows: mails } = await api.database.pool.query(
    'select distinct m.state, m.error_code from report_mails m join report_runs r on r.id = m.run_id where r.report_id = $1',
    [report.id],
  );
  expect(mails).toEqual([{ state: 'failed', error_code: 'task.rights_lost' }]);
  await moveTo(rows[0]?.agent_id ?? null);
});

test('a report whose filter was deleted does not run, and says so', async () => {
  const report = await reportOf();
  expect(
    (await api.ask('DELETE', `/list-views/filter-sets/${report.filterSetId}`, { token: clerk.token })).status,
  ).toBe(200);
  await turn();
  expect(await runsOf(report)).toMatchObject([{ state: 'failed', errorCode: 'report.no_list' }]);
});

test('a mail that no server is there for says so, apart from what mail servers say', async () => {
  const report = await reportOf();
  context = { ...context, mail: null };
  try {
    await turn();
  } finally {
    context = { ...context, mail: createSmtpSender(smtp.settings) };
  }
  expect(await runsOf(report)).toMatchObject([
    { state: 'failed', mails: [{ state: 'failed', errorCode: 'report.no_mail_server', problem: null }] },
  ]);
});

test('the filters to choose from are those of lists that the caller may export, and of no page of one record', async () => {
  const filters = async () =>
    (await api.get<{ items: object[] }>('/report-filters', { token: clerk.token })).data.items;
  const { id } = await filterOf(clerk.token);
  await filterOf(clerk.token, 'orders-history');
  const ofOne = await filterOf(clerk.token, 'task-rows-export', 'state=failed');
  expect(await filters()).toEqual([{ id, name: 'Sites', list: 'listTotals' }]);
  const made = await api.post('/reports', { name: 'x', filterSetId: ofOne.id }, { token: clerk.token });
  expect([made.status, made.text]).toEqual([422, expect.stringContaining('report.no_list')]);
});

test('a test goes to its owner’s task centre only, and one run at a time is made by hand', async () => {
  const report = await reportOf(clerk.token, { enabled: false });
  expect(report.nextAt).toBeNull();
  const run = (body: object) => api.post(`/reports/${report.id}/runs`, body, { token: clerk.token });
  expect((await run({ audience: 'owner' })).status).toBe(200);
  expect((await run({})).status).toBe(409);
  await turn(instant(day + 21 * hourMs));
  expect(await runsOf(report)).toMatchObject([{ state: 'done', isAsked: true, from: '2026-08-24', mails: [] }]);
  expect(smtp.mails).toEqual([]);
});

test('a report whose hour is changed each hour is made once for a period by itself, and by hand as often as asked', async () => {
  const report = await reportOf();
  await turn();
  const change = async (body: object) =>
    (await api.ask<Report>('PATCH', `/reports/${report.id}`, { token: clerk.token, body })).data.nextAt;
  for (let hour = 9; hour < 12; hour += 1) {
    expect(await change({ hour })).toBe(toIso(instant(eight + (hour - 8) * hourMs + dayMs)));
    await turn(instant(eight + (hour - 8) * hourMs));
  }
  expect(await runsOf(report)).toHaveLength(1);
  expect(smtp.mails).toHaveLength(1);
  expect((await api.post(`/reports/${report.id}/runs`, {}, { token: clerk.token })).status).toBe(200);
  await turn(instant(eight + 4 * hourMs));
  expect(smtp.mails).toHaveLength(2);
  // The week before has not been made.
  expect(await change({ every: 'week', weekday: 3, hour: 20 })).toBe(toIso(instant(eight + 12 * hourMs)));
  expect(await change({ every: 'day', hour: 8 })).toBe(toIso(instant(eight + dayMs)));
  await turn(instant(eight + dayMs));
  expect((await runsOf(report)).map(({ from }) => from)).toEqual(['2026-08-26', '2026-08-25', '2026-08-25']);
});

test('a report that is deleted at the moment when it is run by hand is not found', async () => {
  const { id } = await reportOf(clerk.token, { enabled: false });
  const run = await whileChanging(api.database.pool, ['delete from reports where id = $1', [id]], () =>
    api.post(`/reports/${id}/runs`, { audience: 'owner' }, { token: clerk.token }),
  );
  expect(run.envelope.message).toMatchObject({ error: 'record.not_found', status: 404 });
});

test('one person has so many reports an hour made by hand, whichever they are, and is told when there may be more', async () => {
  api.clock.now = instant(day + 3 * dayMs);
  const run = async (language: 'zh-CN' | 'en' = 'en', token = clerk.token) => {
    // A deleted report leaves its runs in the count.
    const { id } = await reportOf(token, { enabled: false });
    const answer = await api.post(`/reports/${id}/runs`, { audience: 'owner' }, { token, language });
    await api.ask('DELETE', `/reports/${id}`, { token });
    return answer;
  };
  for (let made = 0; made < reportLimits.runsPerHour; made += 1) {
    expect((await run()).status).toBe(200);
    api.clock.now = instant(api.clock.now + minuteMs);
  }
  const refused = await run();
  expect(refused.envelope.message).toMatchObject({ error: 'report.too_many_runs', status: 429 });
  expect(refused.text).toContain('Try again in 40 minutes.');
  expect(refused.headers['retry-after']).toBe(String(40 * 60));
  expect((await run('zh-CN')).text).toContain('请在 40 分钟后再试');
  expect((await run('en', other.token)).status).toBe(200);
  api.clock.now = instant(api.clock.now + 40 * minuteMs);
  expect((await run()).status).toBe(200);
  expect((await run()).status).toBe(429);
});

test('reports belong to their owner: others neither see, change, run nor delete them, nor use another’s filter', async () => {
  const report = await reportOf();
  const token = other.token;
  expect((await api.get<{ items: Report[] }>('/reports', { token })).data.items).toEqual([]);
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/runs', {}],
    ['GET', '/runs', undefined],
  ] as const) {
    expect((await api.ask(method, `/reports/${report.id}${path}`, { token, body })).status, method).toBe(404);
  }
  const body = { name: 'Mine', filterSetId: report.filterSetId };
  expect((await api.post('/reports', body, { token })).status).toBe(422);
});

test.each([
  'nobody',
  'a@b',
  'a@example.com\nBcc: everyone@example.com x',
  '"a@example.com',
  Array.from({ length: 21 }, (_, at) => `a${at}@example.com`).join(','),
])('the address %j is refused', async (emails) => {
  const { id } = await filterOf(clerk.token);
  expect((await api.post('/reports', { name: 'x', filterSetId: id, emails }, { token: clerk.token })).status).toBe(422);
});

test('a schedule without its day is refused, as is a filter of a list that its owner may not export', async () => {
  const { id } = await filterOf(clerk.token);
  const post = (body: object) => api.post('/reports', { name: 'x', filterSetId: id, ...body }, { token: clerk.token });
  expect((await post({ every: 'week' })).status).toBe(422);
  expect((await post({ every: 'month', monthDay: 32 })).status).toBe(422);
  expect((await post({ hour: 24 })).status).toBe(422);
  expect((await post({ every: 'month', monthDay: 31 })).status).toBe(200);
  const orders = await filterOf(clerk.token, 'orders-history');
  expect((await post({ filterSetId: orders.id })).status).toBe(403);
  const page = await filterOf(clerk.token, '/statistics', 'step=day');
  expect((await post({ filterSetId: page.id })).status).toBe(422);
});
