import type { ErrorCode } from '@voltdeck/contract/errors';
import { nextDueAt, type ReportTurn, reportPeriod } from '@voltdeck/contract/report-schedule';
import { type ReportRunState, splitEmails } from '@voltdeck/contract/reports';
import type { Id } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { StoredDetail } from '../background/task-details.ts';
import { publishTask } from '../bus/publish-task.ts';
import type { Caller } from '../caller/caller.ts';
import { findRights } from '../caller/user-rights.ts';
import type { Context } from '../context.ts';
import { storableText } from '../database/column-values.ts';
import { transact } from '../database/transact.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import type { Mailed } from '../mail/mail-sender.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { mayHave } from '../tasks/may-have.ts';
import { findReportOrder, mailUnknown, type ReportOrder } from '../tasks/report-queries.ts';
import { startExport } from '../tasks/start-export.ts';
import { mailOf } from './report-mail.ts';
import { queryOf } from './report-query.ts';

/** Tries of a run or of a mail before it is left to a person, and how long until the next one. */
export const reportTriesMax = 5;
const gapsMs = [1, 5, 30, 120].map((minutes) => minutes * minuteMs);
/** How often a file that is being written, or room for one among its owner's tasks, is looked for. */
const lookMs = 20 * secondMs;
/** Longer than any hand-over of a mail lasts, so that none begins while another is under way. */
const handOverMaxMs = 10 * minuteMs;
/** How long one call goes on to begin hand-overs: a mail server that hangs must not keep other reports waiting. */
const sendingMs = 40 * secondMs;
/** What one call takes up; the next minute takes the rest. */
const perCallMax = 100;
const problemMax = 300;

type RunId = Id<'report_run'>;

/**
 * Takes up reports that are due, has their files written in the task centre with the rights that their owners have now,
 * and mails them. Each step is committed before the next one, so any node goes on where another one stopped: a report is
 * made once for each time it is due, and a mail may go out twice only if a node dies between handing it over and noting
 * that; it then has the same Message-ID.
 */
export async function runReports(context: Context<'console'>): Promise<void> {
  while (await beginDue(context)) {}
  for (const { id, state } of await findOpen(context, ['waiting', 'writing'])) {
    await takeUp(context, id, () => (state === 'waiting' ? startWriting(context, id) : lookForFile(context, id)));
  }
  // No mail before all files were asked for, and none that became due meanwhile: a mail server may keep each for minutes.
  const dueBy = context.now();
  const until = instant(dueBy + sendingMs);
  for (const { id } of await findOpen(context, ['mailing'])) {
    if (context.now() >= until) break;
    await takeUp(context, id, () => sendMails(context, id, { dueBy, until }));
  }
}

/** Runs in one of these states that are due, the longest due first. */
async function findOpen({ database: { db }, now }: Context<'console'>, states: readonly ReportRunState[]) {
  return db
    .selectFrom('report_runs')
    .select(['id', 'state'])
    .where('next_at', '<=', now())
    .where('state', 'in', states)
    .orderBy('next_at')
    .limit(perCallMax)
    .execute();
}

/** Does a step of a run; one that fails must not keep the others waiting. */
async function takeUp(context: Context<'console'>, id: RunId, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    context.log.error({ err: error, runId: id }, 'a report broke off');
    await tryLater(context, id, 'report.failed');
  }
}

/** Makes a run of one report that is due, for the latest time that it was missed; false where none is left. */
async function beginDue({ database: { db }, now }: Context<'console'>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const at = now();
    const due = await trx
      .selectFrom('reports')
      .select(['id', 'every', 'weekday', 'month_day as monthDay', 'hour', 'next_at as nextAt'])
      .where('next_at', '<=', at)
      .orderBy('next_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (due === undefined || due.nextAt === null) return false;
    const schedule = { ...due, every: due.every as ReportTurn };
    let dueAt = due.nextAt;
    let nextAt = nextDueAt(schedule, dueAt);
    while (nextAt <= at) {
      dueAt = nextAt;
      nextAt = nextDueAt(schedule, dueAt);
    }
    const { from, to } = reportPeriod(schedule, dueAt);
    await trx
      .insertInto('report_runs')
      .values({ report_id: due.id, due_at: dueAt, is_asked: false, from_on: from, to_on: to, next_at: at })
      .onConflict((conflict) => conflict.constraint('report_runs_once').doNothing())
      .execute();
    await trx.updateTable('reports').set({ next_at: nextAt }).where('id', '=', due.id).execute();
    return true;
  });
}

/** The owner as a caller, with the rights of now; why not, where those no longer reach the list. */
async function ownerOf(
  { database: { db } }: Context<'console'>,
  { userId, list, language }: ReportOrder,
): Promise<{ caller: Caller } | { refused: ErrorCode }> {
  if (list === null) return { refused: 'report.no_list' };
  const rights = await findRights(db, userId);
  if (rights === null) return { refused: 'task.user_disabled' };
  const exportable = exportableLists[list];
  if (!rights.permissions.has('report.edit') && !rights.admin) return { refused: 'task.rights_lost' };
  if (!mayCall(exportable, rights) || !isFor(exportable, rights)) return { refused: 'task.rights_lost' };
  return { caller: { ...rights, language, remoteAddress: '' } };
}

/** Has the file written in the owner's task centre. */
async function startWriting(context: Context<'console'>, id: RunId): Promise<void> {
  const { db } = context.database;
  const run = await db.selectFrom('report_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const order = await findReportOrder(db, run.report_id);
  const owner = await ownerOf(context, order);
  if ('refused' in owner) return endRun(context, id, 'failed', owner.refused);
  const { list } = order;
  if (list === null) return endRun(context, id, 'failed', 'report.no_list');
  const { from, to } = await periodOf(context, id);
  const started = await transact(db, async (trx) => {
    const mine = await trx
      .selectFrom('report_runs')
      .select('id')
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (mine === undefined) return { ok: true as const, value: null };
    const query = queryOf(order, { from, to });
    const begun = await startExport(trx, owner.caller, { list, format: order.format, query }, context.now());
    if (!begun.ok) return begun;
    await trx
      .updateTable('report_runs')
      .set({ state: 'writing', task_id: begun.value.answer.id, next_at: context.now() })
      .where('id', '=', id)
      .execute();
    return { ok: true as const, value: begun.value.task };
  });
  if (!started.ok && started.error.code === 'task.too_many') {
    // Its owner's other tasks make room in time, however many reports are due at one hour.
    return lookLater(context, id, 'waiting');
  }
  if (!started.ok) return tryLater(context, id, started.error.code);
  if (started.value !== null) publishTask(context, started.value);
}

async function periodOf({ database: { db } }: Context<'console'>, id: RunId): Promise<{ from: string; to: string }> {
  return db
    .selectFrom('report_runs')
    .select([sql<string>`from_on::text`.as('from'), sql<string>`to_on::text`.as('to')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Looks at a run again a little later, without counting a try. */
async function lookLater(
  { database: { db }, now }: Context<'console'>,
  id: RunId,
  state: 'waiting' | 'writing',
): Promise<void> {
  const looking = db.updateTable('report_runs').set({ next_at: instant(now() + lookMs) });
  await looking.where('id', '=', id).where('state', '=', state).execute();
}

async function lookForFile(context: Context<'console'>, id: RunId): Promise<void> {
  const { db } = context.database;
  const at = context.now();
  const run = await db
    .selectFrom('report_runs')
    .leftJoin('tasks', 'tasks.id', 'report_runs.task_id')
    .select(['report_runs.report_id', 'report_runs.is_trial', 'tasks.state', 'tasks.error_code'])
    .where('report_runs.id', '=', id)
    .executeTakeFirstOrThrow();
  if (run.state === 'waiting' || run.state === 'running') return lookLater(context, id, 'writing');
  if (run.state !== 'done') {
    const code = run.state === 'cancelled' ? 'report.cancelled' : ((run.error_code ?? 'report.failed') as ErrorCode);
    return endRun(context, id, 'failed', code);
  }
  const { emails } = await findReportOrder(db, run.report_id);
  const addresses = run.is_trial ? [] : splitEmails(emails);
  if (addresses.length === 0) return endRun(context, id, 'done', null);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('report_mails')
      .values(addresses.map((email) => ({ run_id: id, email, next_at: at })))
      .onConflict((conflict) => conflict.constraint('report_mails_once').doNothing())
      .execute();
    const mailing = trx.updateTable('report_runs').set({ state: 'mailing', next_at: at });
    await mailing.where('id', '=', id).where('state', '=', 'writing').execute();
  });
}

/** Sends the mails of a run that are due by `dueBy`, begins none from `until` on, and ends the run with its last one. */
async function sendMails(
  context: Context<'console'>,
  id: RunId,
  { dueBy, until }: { dueBy: Instant; until: Instant },
): Promise<void> {
  const { db } = context.database;
  for (;;) {
    const at = context.now();
    if (at >= until) break;
    const claimed = await db
      .updateTable('report_mails')
      .set((eb) => ({ tries: eb('tries', '+', 1), next_at: instant(at + handOverMaxMs) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('report_mails')
          .select('id')
          .where('run_id', '=', id)
          .where('next_at', '<=', dueBy)
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'email', 'tries'])
      .executeTakeFirst();
    if (claimed === undefined) break;
    const outcome = await sendOne(context, id, claimed).catch((error: unknown) => {
      // One that fails must not keep those behind it waiting.
      context.log.error({ err: error, runId: id, mailId: claimed.id }, 'a mail of a report broke off');
      return notSent(claimed.tries, context.now(), 'report.failed');
    });
    let noted = db
      .updateTable('report_mails')
      .set(outcome)
      .where('id', '=', claimed.id)
      .where('tries', '=', claimed.tries);
    // Its run may have ended meanwhile, and nobody would look at it again.
    if (outcome.state === 'waiting') noted = noted.where('next_at', 'is not', null);
    await noted.execute();
  }
  const left = await db
    .selectFrom('report_mails')
    .select((eb) => [
      eb.fn.min('next_at').as('nextAt'),
      sql<number>`count(*) filter (where state = 'failed' and error_code <> ${mailUnknown})`.as('failed'),
      sql<number>`count(*) filter (where error_code = ${mailUnknown})`.as('unknown'),
    ])
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow();
  if (left.nextAt !== null) {
    // Behind the others that are due, so that runs take turns.
    const next_at = instant(Math.max(left.nextAt, context.now()));
    const mailing = db.updateTable('report_runs').set({ next_at });
    await mailing.where('id', '=', id).where('state', '=', 'mailing').execute();
    return;
  }
  const code = left.failed > 0 ? 'report.mail_failed' : left.unknown > 0 ? mailUnknown : null;
  await endRun(context, id, code === null ? 'done' : 'failed', code);
}

type MailEnd = {
  state: 'sent' | 'failed' | 'waiting';
  next_at: Instant | null;
  error_code: ErrorCode | null;
  /** What the mail server said. */
  problem: string | null;
};

function failed(error_code: ErrorCode, problem: string | null = null): MailEnd {
  return {
    state: 'failed',
    next_at: null,
    error_code,
    problem: storableText(problem)?.slice(0, problemMax) ?? null,
  };
}

/** A mail that was certainly not taken over: it waits for its next try, after its last one it has failed. */
function notSent(tries: number, at: Instant, code: ErrorCode, problem: string | null = null): MailEnd {
  if (tries >= reportTriesMax) return failed(code, problem);
  return { ...failed(code, problem), state: 'waiting', next_at: instant(at + (gapsMs[tries - 1] ?? minuteMs)) };
}

/** Hands a mail over. Whatever it throws happened before the mail server could have it. */
async function sendOne(
  context: Context<'console'>,
  runId: RunId,
  mail: { id: Id<'report_mail'>; email: string; tries: number },
): Promise<MailEnd> {
  const { mail: send = null } = context;
  if (send === null) return failed('report.no_mail_server');
  const run = await context.database.db
    .selectFrom('report_runs')
    .innerJoin('tasks', 'tasks.id', 'report_runs.task_id')
    .leftJoin('files', 'files.id', 'tasks.file_id')
    .select([
      'report_runs.report_id',
      'tasks.done_count as rows',
      'tasks.detail',
      'files.key',
      'files.name',
      'files.content_type',
      'files.size_bytes',
    ])
    .where('report_runs.id', '=', runId)
    .executeTakeFirst();
  if (run === undefined || run.key === null || run.name === null) return failed('task.no_file');
  const order = await findReportOrder(context.database.db, run.report_id);
  // Rights that went since the file was written end the mails too.
  const owner = await ownerOf(context, order);
  if ('refused' in owner) return failed(owner.refused);
  if (!mayHave(owner.caller, 'export', run.detail as StoredDetail<'export'>)) return failed('task.rights_lost');
  const period = await periodOf(context, runId);
  const file = { key: run.key, name: run.name, contentType: run.content_type ?? '', sizeBytes: run.size_bytes ?? 0 };
  const stored = await context.files.open(run.key);
  if (stored === null) return failed('task.no_file');
  const message = await mailOf({ order, period, rows: run.rows, file, stored });
  let sent: Mailed;
  try {
    sent = await send({ ...message, to: mail.email, messageId: `${runId}-${mail.id}@reports.voltdeck` });
  } catch (error) {
    context.log.error({ err: error, runId, mailId: mail.id }, 'the hand-over of a mail broke off');
    return failed(mailUnknown);
  }
  if (sent.outcome === 'sent') return { state: 'sent', next_at: null, error_code: null, problem: null };
  const said = 'text' in sent ? sent.text : sent.detail;
  // A second one would double a mail that may have arrived; whether it has, only its recipient can say.
  if (sent.outcome === 'unknown') return failed(mailUnknown, said);
  if (sent.outcome === 'refused') return failed('report.mail_refused', said);
  return notSent(mail.tries, context.now(), 'report.mail_refused', said);
}

async function tryLater(context: Context<'console'>, id: RunId, code: ErrorCode): Promise<void> {
  const { db } = context.database;
  const run = await db
    .updateTable('report_runs')
    .set((eb) => ({ tries: eb('tries', '+', 1), error_code: code }))
    .where('id', '=', id)
    .where('next_at', 'is not', null)
    .returning('tries')
    .executeTakeFirst();
  if (run === undefined) return;
  if (run.tries >= reportTriesMax) return endRun(context, id, 'failed', code);
  const next_at = instant(context.now() + (gapsMs[run.tries - 1] ?? minuteMs));
  await db.updateTable('report_runs').set({ next_at }).where('id', '=', id).where('next_at', 'is not', null).execute();
}

/** Ends a run that has not ended, and with it the mails that still wait. */
async function endRun(
  { database: { db } }: Context<'console'>,
  id: RunId,
  state: 'done' | 'failed',
  code: ErrorCode | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = trx.updateTable('report_runs').set({ state, error_code: code, next_at: null });
    await ended.where('id', '=', id).where('next_at', 'is not', null).execute();
    await trx
      .updateTable('report_mails')
      .set((eb) => ({ state: 'failed', next_at: null, error_code: eb.fn.coalesce('error_code', eb.val(code)) }))
      .where('run_id', '=', id)
      .where('next_at', 'is not', null)
      .execute();
  });
}
