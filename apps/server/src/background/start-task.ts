import type { ApiError } from '@voltdeck/contract/errors';
import type { TaskKind, TaskState } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { TaskMoved } from '../bus/publish-task.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { storedDetail, type TaskDetails } from './task-details.ts';

export const unfinishedStates = ['waiting', 'running'] as const satisfies readonly TaskState[];

/** Unfinished tasks of one user. */
export const unfinishedMax = 3;

export type NewTask<Kind extends TaskKind> = {
  kind: Kind;
  /** What it is about, beside its kind: a file's name, a number of stations. */
  subject?: string;
  detail: TaskDetails[Kind];
  /** The expected number of rows, where it is known. */
  totalCount?: number;
};

/**
 * Queues long work in the caller's transaction; it starts after the commit, when `announceTask` publishes it.
 */
export async function startTask<Kind extends TaskKind>(
  trx: Trx,
  caller: Caller,
  { kind, subject = '', detail, totalCount }: NewTask<Kind>,
  at: Instant,
): Promise<Result<TaskMoved, ApiError>> {
  // One user's requests take turns, because concurrent ones would all count too few.
  await trx.selectFrom('users').select('id').where('id', '=', caller.userId).forNoKeyUpdate().execute();
  const { unfinished } = await trx
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('unfinished'))
    .where('user_id', '=', caller.userId)
    .where('state', 'in', unfinishedStates)
    .executeTakeFirstOrThrow();
  if (unfinished >= unfinishedMax) return failed({ code: 'task.too_many', params: { max: unfinishedMax } });
  const { id } = await trx
    .insertInto('tasks')
    .values({
      kind,
      subject,
      detail: JSON.stringify(storedDetail(caller, detail)),
      total_count: totalCount ?? null,
      language: caller.language,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await giveToWorkers(trx, { id, kind, userId: caller.userId });
  return ok({ id, userId: caller.userId, state: 'waiting', doneCount: 0, totalCount: totalCount ?? null });
}

/** Concurrent exports, and concurrent tasks of other kinds; each user's run one after the other. */
const queuesEach = 2;

/** Gives a task to the workers. A waiting task is not given twice. */
export async function giveToWorkers(
  trx: Trx,
  { id, kind, userId }: { id: TaskId; kind: TaskKind; userId: UserId },
): Promise<void> {
  const queue = `${kind === 'export' ? 'exports' : 'work'}-${userId % queuesEach}`;
  await giveJob(trx, 'run-task', { taskId: id }, { key: `task-${id}`, queue, attemptsMax: 1 });
}
