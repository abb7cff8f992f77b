import type { ApiError } from '@voltdeck/contract/errors';
import type { Task } from '@voltdeck/contract/tasks';
import type { TaskId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { unfinishedStates } from '../background/start-task.ts';
import { endAskedRows } from '../background/task-rows.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findTask } from './queries.ts';

/** Marks a task as cancelled at once; its worker notices within a second and leaves nothing behind. */
export async function cancelTask(trx: Trx, caller: Caller, id: TaskId, at: Instant): Promise<Result<Task, ApiError>> {
  if ((await findTask(trx, caller, id)) === null) return failed({ code: 'record.not_found' });
  const cancelled = await trx
    .updateTable('tasks')
    .set({ state: 'cancelled', ended_at: at })
    .where('id', '=', id)
    .where('state', 'in', unfinishedStates)
    .returning('id')
    .executeTakeFirst();
  if (cancelled === undefined) return failed({ code: 'task.not_running' });
  const ended = await endAskedRows(trx, id);
  await trx
    .updateTable('tasks')
    .set({ done_count: sql<number>`greatest(done_count, ${ended})` })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'task.cancel', recordKind: 'task', recordId: id });
  return found(await findTask(trx, caller, id));
}
