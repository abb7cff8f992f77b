import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { retryStationCommands as route } from '@voltdeck/contract/station-commands';
import type { TaskId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { unfinishedStates } from '../../background/start-task.ts';
import type { StoredDetail } from '../../background/task-details.ts';
import type { Caller } from '../../caller/caller.ts';
import { ownedBy, scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { queueCommands, type StartedCommands } from './start-station-commands.ts';

/** Asks the stations of a finished task again whose rows are in the given states, as a task of its own. */
export async function retryStationCommands(
  trx: Trx,
  caller: Caller,
  taskId: TaskId,
  { states }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<StartedCommands, ApiError>> {
  const task = await ownedBy(trx.selectFrom('tasks'), caller, 'user_id')
    .select(['state', 'detail'])
    .where('id', '=', taskId)
    .where('kind', '=', 'station-commands')
    .executeTakeFirst();
  if (task === undefined) return failed({ code: 'record.not_found' });
  if (unfinishedStates.some((state) => state === task.state)) return failed({ code: 'task.running' });
  const stations = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .innerJoin('task_rows', 'task_rows.record_id', 'stations.id')
    .select(['stations.id', 'stations.number', 'stations.protocol'])
    .where('task_rows.task_id', '=', taskId)
    .where('task_rows.state', 'in', states)
    .orderBy('task_rows.line')
    .execute();
  if (stations.length === 0) return failed({ code: 'task.nothing_to_retry' });
  const { command, sealedPassword } = task.detail as StoredDetail<'station-commands'>;
  return queueCommands(trx, caller, { command, sealedPassword }, stations, at);
}
