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
import { exportedRowsMax, exportName } from '../http/list-export.ts';
import { say } from '../http/say.ts';
import { xlsxType } from '../http/xlsx.ts';
import { exportableLists } from './exportable-lists.ts';
import { publishTask } from './publish-task.ts';
import { unfinishedStates } from './queries.ts';
import { callerOf, type ExportDetail } from './task-detail.ts';

/** How often a task is begun before it is given up: a restart or a lost database ends an attempt. */
export const attemptsMax = 3;
/** Progress is written and told this often; a cancelled task is noticed as soon. */
export const tickMs = secondMs;
/** An archive without ZIP64 has less than 4 GiB. */
const fileBytesMax = 4 * 1024 ** 3 - 1;

/** Why the writing of a file was broken off. */
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
 * Writes the rows of one export to the file store and says how far it is. What is broken off leaves no file. `closing`
 * ends the attempt when the server stops; it is then not counted.
 * @throws what the database or the disk said, for another attempt.
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
  const ticking = keepTelling(context, begun, progress, stop);
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

/** Null when there is nothing to do any more: cancelled, ended, or its user was deleted. */
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
  const query = list.keptFilter(detail.query);
  const opened = await list.open(db, caller, query, at);
  opened.count(exportedRowsMax).then(
    (total) => {
      progress.totalCount = total;
    },
    // Of a filter that no index serves: the rows come all the same, only how many is not known before.
    (error: unknown) => context.log.info({ err: error }, 'the rows of an export could not be counted'),
  );
  const title = say(language, list.title);
  const rows = context.exports.write({ list: detail.list, caller, query, at, title }, (count) => {
    progress.doneCount += count;
  });
  // Broken off at once, even while the rows' own source waits for the database.
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

/** Writes and tells the progress while the task runs, and stops it when it was cancelled or its user disabled. */
function keepTelling(context: Context, begun: Begun, progress: Progress, stop: AbortController): { end(): void } {
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
      .catch((error: unknown) => context.log.warn({ err: error }, 'the progress of a task could not be written'))
      .finally(() => {
        isTelling = false;
      });
  }, tickMs);
  return { end: () => clearInterval(timer) };
}

/** The file and the state together; a task that was cancelled at the last moment keeps no file. */
async function finish(context: Context, begun: Begun, { doneCount }: Progress, kept: KeptBytes): Promise<void> {
  const { database, files, now } = context;
  const at = now();
  const title = say(begun.language, exportableLists[begun.detail.list].title);
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
        name: exportName(title, at),
        content_type: xlsxType,
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

/** Nothing happens to a task that has ended already. */
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

/** Waits again, for the workers of the next start or for the next look at what nobody works at. */
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
