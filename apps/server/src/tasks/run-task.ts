import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { TaskKind, TaskState } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Progress, TaskResult, TaskWork } from '../background/running-task.ts';
import { unfinishedStates } from '../background/start-task.ts';
import type { StoredDetail } from '../background/task-details.ts';
import { endAskedRows } from '../background/task-rows.ts';
import { publishTask } from '../bus/publish-task.ts';
import { findRights } from '../caller/user-rights.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { mayHave } from './may-have.ts';
import { taskWorks } from './task-works.ts';

/** Attempts before a task is given up; a restart or a lost database ends an attempt. */
export const attemptsMax = 3;
/** How often progress is written and published, and a cancellation noticed. */
export const tickMs = secondMs;

/** Why the work was broken off; `gone` when the task was cancelled, or another attempt at it has begun. */
type Stop = 'gone' | 'closing' | RightsGone;

/** Why the user of a task may no longer have it done. */
type RightsGone = 'user-disabled' | 'rights-lost';

const codeOfRightsGone = {
  'user-disabled': 'task.user_disabled',
  'rights-lost': 'task.rights_lost',
} as const satisfies Record<RightsGone, ErrorCode>;

/** Whether an attempt still has its task: it was not cancelled, and no later attempt has begun. */
function isAt({ id, attempt }: Pick<Begun, 'id' | 'attempt'>) {
  return (eb: ExpressionBuilder<Tables, 'tasks'>) => eb.and({ id, state: 'running', attempts: attempt });
}

class Stopped extends Error {
  readonly why: Stop;
  constructor(why: Stop) {
    super(why);
    this.why = why;
  }
}

type Begun = {
  id: TaskId;
  kind: TaskKind;
  userId: UserId;
  language: Language;
  detail: StoredDetail<TaskKind>;
  attempt: number;
  totalCount: number | null;
};

/**
 * Carries out a task and reports its progress. `closing` ends the attempt when the server closes, and that attempt is
 * not counted.
 * @throws the error of the database or the disk, for another attempt.
 */
export async function runTask(context: Context<'console'>, id: TaskId, closing: AbortSignal): Promise<void> {
  const begun = await begin(context, id);
  if (begun === null) return;
  if (begun.attempt > attemptsMax) return end(context, begun, 'failed', 'task.interrupted');
  const gone = await findRightsGone(context.database.db, begun);
  if (gone !== null) return end(context, begun, 'failed', codeOfRightsGone[gone]);
  const stop = new AbortController();
  const onClosing = () => stop.abort(new Stopped('closing'));
  if (closing.aborted) onClosing();
  else closing.addEventListener('abort', onClosing, { once: true });
  const progress: Progress = { doneCount: 0, totalCount: begun.totalCount };
  publishTask(context, { ...begun, ...progress, state: 'running' });
  const ticking = reportProgress(context, begun, progress, stop);
  // A file that was written belongs to nobody until the task is finished.
  let written: TaskResult['file'];
  try {
    const finishIn = async (trx: Trx, result: TaskResult) => {
      written = result.file;
      progress.doneCount = result.doneCount ?? progress.doneCount;
      await finish(trx, begun, result, progress.doneCount, context.now());
    };
    const work = taskWorks[begun.kind] as TaskWork;
    const ended = await work(context, { ...begun, progress, signal: stop.signal, finishIn });
    ticking.end();
    if (ended !== 'finished' && 'failed' in ended) {
      return await end(context, begun, 'failed', ended.failed, progress);
    }
    if (ended !== 'finished') await context.database.db.transaction().execute((trx) => finishIn(trx, ended));
    written = undefined;
    const { doneCount } = progress;
    publishTask(context, { ...begun, state: 'done', doneCount, totalCount: doneCount });
  } catch (error) {
    ticking.end();
    const stopped = error instanceof Stopped ? error : stop.signal.reason;
    const why = stopped instanceof Stopped ? stopped.why : null;
    switch (why) {
      case 'gone':
        return;
      case 'user-disabled':
      case 'rights-lost':
        return await end(context, begun, 'failed', codeOfRightsGone[why], progress);
      case 'closing':
        return await putBack(context, begun, { counted: false });
      case null:
        context.log.error({ err: error, task: id, kind: begun.kind }, 'a task broke off');
        if (begun.attempt >= attemptsMax) return await end(context, begun, 'failed', 'task.failed', progress);
        await putBack(context, begun, { counted: true });
    }
  } finally {
    closing.removeEventListener('abort', onClosing);
    if (written !== undefined) await deleteUnreferenced(context, written.kept.key);
  }
}

/**
 * Deletes what no record refers to. An error does not say that nothing was committed: the answer to the commit may have
 * been lost. What cannot be read now is left to the sweep of unreferenced files.
 */
async function deleteUnreferenced({ database, files, log }: Context, key: string): Promise<void> {
  try {
    const kept = await database.db.selectFrom('files').select('id').where('key', '=', key).executeTakeFirst();
    if (kept === undefined) await files.delete(key);
  } catch (error) {
    log.warn({ err: error }, 'a file of a broken-off task is left to the sweep');
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
    .returning(['kind', 'user_id', 'language', 'detail', 'attempts', 'total_count'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id,
    kind: row.kind as TaskKind,
    userId: row.user_id,
    language: row.language as Language,
    detail: row.detail as StoredDetail<TaskKind>,
    attempt: row.attempts,
    totalCount: row.total_count,
  };
}

/** A task may wait for an hour and run for another, and rights that were taken away in the meantime end it. */
async function findRightsGone(db: Kysely<Tables>, { userId, kind, detail }: Begun): Promise<RightsGone | null> {
  const now = await findRights(db, userId);
  if (now === null) return 'user-disabled';
  return mayHave(now, kind, detail) ? null : 'rights-lost';
}

/** Writes and publishes the progress while the task runs, and stops it when it was cancelled or its user's rights went. */
function reportProgress(context: Context, begun: Begun, progress: Progress, stop: AbortController): { end(): void } {
  let isTelling = false;
  const tick = async () => {
    const { doneCount, totalCount } = progress;
    const row = await context.database.db
      .updateTable('tasks')
      .set({ done_count: doneCount, total_count: totalCount })
      .where(isAt(begun))
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return stop.abort(new Stopped('gone'));
    const gone = await findRightsGone(context.database.db, begun);
    if (gone !== null) return stop.abort(new Stopped(gone));
    publishTask(context, { ...begun, ...progress, state: 'running' });
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

/**
 * Stores what the work leaves together with its end.
 * @throws Stopped when the task was cancelled or taken over at the last moment, or its user lost the rights to it.
 */
async function finish(
  trx: Trx,
  begun: Begun,
  { file, result }: TaskResult,
  doneCount: number,
  at: Instant,
): Promise<void> {
  const running = await trx.selectFrom('tasks').select('id').where(isAt(begun)).forUpdate().executeTakeFirst();
  if (running === undefined) throw new Stopped('gone');
  const gone = await findRightsGone(trx, begun);
  if (gone !== null) throw new Stopped(gone);
  const stored =
    file === undefined
      ? null
      : await trx
          .insertInto('files')
          .values({
            key: file.kept.key,
            name: file.name,
            content_type: file.contentType,
            size_bytes: file.kept.sizeBytes,
            sha256: file.kept.sha256,
            purpose: 'task',
            public: false,
            user_id: begun.userId,
            created_at: at,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
  await trx
    .updateTable('tasks')
    .set({
      state: 'done',
      file_id: stored?.id ?? null,
      result: result === undefined ? null : JSON.stringify(result),
      done_count: doneCount,
      total_count: doneCount,
      ended_at: at,
    })
    .where('id', '=', begun.id)
    .execute();
}

/** No effect on a task that has ended. What its rows say counts, also where no work began. */
async function end(
  context: Context,
  begun: Begun,
  state: TaskState & 'failed',
  errorCode: ErrorCode,
  progress: Progress = { doneCount: 0, totalCount: begun.totalCount },
): Promise<void> {
  const told = await context.database.db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('tasks')
      .set({ state, error_code: errorCode, ended_at: context.now() })
      .where(isAt(begun))
      .returning('id')
      .executeTakeFirst();
    if (ended === undefined) return null;
    const doneCount = Math.max(progress.doneCount, await endAskedRows(trx, begun.id));
    const counts = { doneCount, totalCount: progress.totalCount };
    await trx
      .updateTable('tasks')
      .set({ done_count: counts.doneCount, total_count: counts.totalCount })
      .where('id', '=', begun.id)
      .execute();
    return counts;
  });
  if (told !== null) publishTask(context, { ...begun, ...told, state });
}

/** Puts the task back, for the workers of the next start or the next look for orphaned tasks. */
async function putBack(context: Context, begun: Begun, { counted }: { counted: boolean }): Promise<void> {
  const put = await context.database.db
    .updateTable('tasks')
    .set((eb) => ({ state: 'waiting', done_count: 0, ...(counted ? {} : { attempts: eb('attempts', '-', 1) }) }))
    .where(isAt(begun))
    .returning('total_count')
    .executeTakeFirst();
  if (put !== undefined)
    publishTask(context, { ...begun, state: 'waiting', doneCount: 0, totalCount: put.total_count });
}
