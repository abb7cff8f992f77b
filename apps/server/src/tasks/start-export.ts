import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { startExport as route, Task } from '@voltdeck/contract/tasks';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { found } from '../http/found.ts';
import { noteExport } from '../http/list-export.ts';
import { exportableLists } from './exportable-lists.ts';
import { findTask, unfinishedStates } from './queries.ts';
import { detailOf, giveToWorkers } from './task-detail.ts';

export const unfinishedMax = 3;

/** Queues an export with the filter and the permission of its list; the work begins after the commit. */
export async function startExport(
  trx: Trx,
  caller: Caller,
  { list, format, query }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Task, ApiError>> {
  const exportable = exportableLists[list];
  if (!mayCall(exportable, caller) || !isFor(exportable, caller)) return failed({ code: 'access.denied' });
  const wanted = exportable.parseWanted(query);
  if (!wanted.ok) return wanted;
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
      kind: 'export',
      detail: JSON.stringify(detailOf(caller, { list, format, query })),
      language: caller.language,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await noteExport(trx, exportable, caller, at, { query, format, taskId: id });
  await giveToWorkers(trx, id, caller.userId);
  return found(await findTask(trx, caller, id));
}
