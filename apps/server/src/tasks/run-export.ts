import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/permissions';
import type { TaskState } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { KeptBytes } from '../files/file-store.ts';
import { askedForFile, exportTitle, fileNameAndType } from '../http/list-export.ts';
import { exportableLists } from './exportable-lists.ts';
import { publishTask } from './publish-task.ts';
import { unfinishedStates } from './queries.ts';
import { callerOf, type ExportDetail } from './task-detail.ts';

/** Attempts before a task is given up; a restart or a lost database ends an attempt. */
export const attemptsMax = 3;
/** How often progress is written and published, and a cancellation noticed. */
export const tickMs = secondMs;
/** The expected number of rows is counted up to this, since it only serves the progress. */
const countedRowsMax = 10_000_000;
/** A terabyte: the disk is full before. */
const fileBytesMax = 1024 ** 4;

/** Why writing a file was broken off. */
type Stop = 'cancelled' | 'user-disabled' | 'closing';

class Stopped extends Error {
  readonly why: Stop;
  constructor(why: Stop) {
    super(why);
    this.why = why;
  }
}

type Begun = { id: TaskId; userId: UserId; language: Language; detail: ExportDetail; attempts: number };

/**
 * Writes the rows of one export to the file store and reports progress. An interrupted one leaves no file. `closing`
 * ends the attempt when the server closes, and that attempt is not counted.
 * @throws the error of the database or the disk, for another attempt.
 */
export async function runExport(context: Context, id: TaskId, closing: AbortSignal): Promise<void> {
  const begun = await begin(context, id);
  if (begun === null) return;
  if (begun.attempts > attemptsMax) return end(context, begun, 'failed', 'task.interrupted');
  const stop = new AbortController();
  const onClosing = () => stop.abort(new Stopped('closing'));
  if (closing.aborted) onClosing();
  else closing.addEventListener('abort', onClosing, { once: true });
  const progress: Progress = { doneCount: 0, totalCount: null };
  publishTask(context, { ...begun, ...progress, state: 'running' });
  const ticking = reportProgress(context, begun, progress, stop);
  try {
    const written = await write(context, begun, progress, stop.signal);
    ticking.end();
    if (written === 'too_large') await end(context, begun, 'failed', 'task.too_large', progress);
    else await finish(context, begun, progress, written);
  } catch (error) {
    ticking.end();
    const why = stop.signal.aborted && stop.signal.reason instanceof Stopped ? stop.signal.reason.why : null;
    switch (why) {
      case 'cancelled':
        return;
      case 'user-disabled':
        return end(context, begun, 'failed', 'task.user_disabled', progress);
      case 'closing':
        return putBack(context, begun, { counted: false });
      case null:
        context.log.error({ err: error, task: id }, 'an export broke off');
        if (begun.attempts >= attemptsMax) return end(context, begun, 'failed', 'task.failed', progress);
        await putBack(context, begun, { counted: true });
    }
  } finally {
    closing.removeEventListener('abort', onClosing);
  }
}

/** Null when there is nothing left to do: cancelled, ended, or its user was deleted. */
async function begin({ database, now }: Context, id: TaskId): Promise<Begun | null> {
  const row = await database.db
    .updateTable('tasks')
    .set((eb) => ({
      state: 'running',
      attempts: eb('attempts', '+', 1),
      started_at: sql<Instant>`coalesce(started_at, to_timestamp(${now()} / 1000.0))`,
      done_count: 0,
    }))
    .where('id', '=', id)
    .where('state', 'in', unfinishedStates)
    .returning(['user_id', 'language', 'detail', 'attempts'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id,
    userId: row.user_id,
    language: row.language as Language,
    detail: row.detail as ExportDetail,
    attempts: row.attempts,
  };
}

type Progress = { doneCount: number; totalCount: number | null };

async function write(
  context: Context,
  { detail, userId, language }: Begun,
  progress: Progress,
  signal: AbortSignal,
): Promise<KeptBytes | 'too_large'> {
  const { db } = context.database;
  const list = exportableLists[detail.list];
  const caller = callerOf(detail, userId, language);
  const at = context.now();
  const { filter, sort } = list.parseStored(detail.query);
  list.count(db, askedForFile({ caller, at }), filter, countedRowsMax).then(
    (total) => {
      progress.totalCount = total;
    },
    // With a filter that no index serves, the export still runs, but without an expected number.
    (error: unknown) => context.log.info({ err: error }, 'counting the rows of an export failed'),
  );
  const { list: name, format = 'xlsx' } = detail;
  const wanted = { list: name, caller, filter, sort, format, at, title: exportTitle(name, language) };
  const rows = context.exports.write(wanted, (count) => {
    progress.doneCount += count;
  });
  // Breaks off at once, even while the rows' source waits for the database.
  const through = new PassThrough();
  const flow = pipeline(rows, through, { signal });
  flow.catch(() => undefined);
  const kept = await context.files.put(through, { bytesMax: fileBytesMax });
  if (!kept.ok) {
    through.destroy();
    return kept.error.code;
  }
  await flow;
  return kept.value;
}

/** Writes and publishes the progress while the task runs, and stops it when it was cancelled or its user disabled. */
function reportProgress(context: Context, begun: Begun, progress: Progress, stop: AbortController): { end(): void } {
  let isTelling = false;
  const tick = async () => {
    const { doneCount, totalCount } = progress;
    const row = await context.database.db
      .updateTable('tasks')
      .from('users')
      .set({ done_count: doneCount, total_count: totalCount })
      .where('tasks.id', '=', begun.id)
      .where('tasks.state', '=', 'running')
      .whereRef('users.id', '=', 'tasks.user_id')
      .returning('users.enabled')
      .executeTakeFirst();
    if (row === undefined) stop.abort(new Stopped('cancelled'));
    else if (!row.enabled) stop.abort(new Stopped('user-disabled'));
    else publishTask(context, { ...begun, ...progress, state: 'running' });
  };
  const timer = setInterval(() => {
    if (isTelling) return;
    isTelling = true;
    tick()
      .catch((error: unknown) => context.log.warn({ err: error }, 'writing the progress of a task failed'))
      .finally(() => {
        isTelling = false;
      });
  }, tickMs);
  return { end: () => clearInterval(timer) };
}

/** Stores the file and the state together; a task cancelled at the last moment keeps no file. */
async function finish(context: Context, begun: Begun, { doneCount }: Progress, kept: KeptBytes): Promise<void> {
  const { database, files, now } = context;
  const at = now();
  const { list, format = 'xlsx' } = begun.detail;
  const { name, contentType } = fileNameAndType(list, format, begun.language, at);
  const isDone = await database.db.transaction().execute(async (trx) => {
    const running = await trx
      .selectFrom('tasks')
      .innerJoin('users', 'users.id', 'tasks.user_id')
      .select('users.enabled')
      .where('tasks.id', '=', begun.id)
      .where('tasks.state', '=', 'running')
      .forUpdate('tasks')
      .executeTakeFirst();
    if (running?.enabled !== true) return false;
    const file = await trx
      .insertInto('files')
      .values({
        key: kept.key,
        name,
        content_type: contentType,
        size_bytes: kept.sizeBytes,
        sha256: kept.sha256,
        purpose: 'task',
        public: false,
        user_id: begun.userId,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('tasks')
      .set({ state: 'done', file_id: file.id, done_count: doneCount, total_count: doneCount, ended_at: at })
      .where('id', '=', begun.id)
      .execute();
    return true;
  });
  if (isDone) {
    publishTask(context, { ...begun, state: 'done', doneCount, totalCount: doneCount });
    return;
  }
  await files.delete(kept.key);
  await end(context, begun, 'failed', 'task.user_disabled', { doneCount, totalCount: doneCount });
}

/** No effect on a task that has ended. */
async function end(
  context: Context,
  begun: Begun,
  state: TaskState & 'failed',
  errorCode: ErrorCode,
  progress: Progress = { doneCount: 0, totalCount: null },
): Promise<void> {
  const ended = await context.database.db
    .updateTable('tasks')
    .set({
      state,
      error_code: errorCode,
      done_count: progress.doneCount,
      total_count: progress.totalCount,
      ended_at: context.now(),
    })
    .where('id', '=', begun.id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  if (ended !== undefined) publishTask(context, { ...begun, ...progress, state });
}

/** Puts the task back, for the workers of the next start or the next look for orphaned tasks. */
async function putBack(context: Context, begun: Begun, { counted }: { counted: boolean }): Promise<void> {
  const put = await context.database.db
    .updateTable('tasks')
    .set((eb) => ({ state: 'waiting', done_count: 0, ...(counted ? {} : { attempts: eb('attempts', '-', 1) }) }))
    .where('id', '=', begun.id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  if (put !== undefined) publishTask(context, { ...begun, state: 'waiting', doneCount: 0, totalCount: null });
}
