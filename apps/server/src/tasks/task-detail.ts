import type { Language } from '@voltdeck/contract/permissions';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

/** What an export needs to be carried out later as the person who asked, with the reach that they had then. */
export type ExportDetail = {
  list: ExportList;
  query: Readonly<Record<string, string>>;
  caller: Pick<Caller, 'userName' | 'admin' | 'dataScope' | 'agents' | 'customerId'>;
};

export function detailOf(
  { userName, admin, dataScope, agents, customerId }: Caller,
  list: ExportList,
  query: Readonly<Record<string, string>>,
): ExportDetail {
  return { list, query, caller: { userName, admin, dataScope, agents, customerId } };
}

/** The caller as they asked. What they may do was asked then; the work itself asks for nothing but their reach. */
export function callerOf({ caller }: ExportDetail, userId: UserId, language: Language): Caller {
  return { ...caller, userId, language, permissions: new Set(), menuCodes: new Set(), remoteAddress: '' };
}

export const exportJob = 'run-export';
/** So many exports run at once; each user's one after the other, so that nobody has them all. */
const queues = 2;

/** Gives a task to the workers, in the transaction that makes it. A task that waits already is not given twice. */
export async function giveToWorkers(trx: Trx, id: TaskId, userId: UserId): Promise<void> {
  await sql`select graphile_worker.add_job(${exportJob}, json_build_object('taskId', ${id}::bigint),
              queue_name => ${`exports-${userId % queues}`}, max_attempts => 1, job_key => ${`task-${id}`})`.execute(
    trx,
  );
}
