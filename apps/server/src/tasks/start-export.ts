import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { startExport as route, Task } from '@voltdeck/contract/tasks';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../background/announce-task.ts';
import { startTask } from '../background/start-task.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { found } from '../http/found.ts';
import { noteExport } from '../http/list-export.ts';
import { whyTooLong } from '../http/list-source.ts';
import { exportableLists } from './exportable-lists.ts';
import { findTask } from './queries.ts';

/** Queues an export with the filter and the permission of its list; the work begins after the commit. */
export async function startExport(
  trx: Trx,
  caller: Caller,
  { list, format, query }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Started<Task>, ApiError>> {
  const exportable = exportableLists[list];
  if (!mayCall(exportable, caller) || !isFor(exportable, caller)) return failed({ code: 'access.denied' });
  const wanted = exportable.parseWanted(query);
  if (!wanted.ok) return wanted;
  const fault = whyTooLong(exportable, wanted.value.filter, at);
  if (fault !== null) {
    return failed({ code: 'request.invalid', fields: [{ ...fault, path: `query.${fault.path}` }] });
  }
  const started = await startTask(trx, caller, { kind: 'export', detail: { list, format, query } }, at);
  if (!started.ok) return started;
  const { id } = started.value;
  await noteExport(trx, exportable, caller, at, { query, format, taskId: id });
  const task = found(await findTask(trx, caller, id));
  return task.ok ? ok({ answer: task.value, task: started.value }) : task;
}
