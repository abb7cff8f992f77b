import type { Language } from '@voltdeck/contract/permissions';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
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

/** So many exports run at once; each user's one after the other, so that nobody has them all. */
const queues = 2;

/** Gives a task to the workers, in the transaction that makes it. A task that waits already is not given twice. */
export async function giveToWorkers(trx: Trx, id: TaskId, userId: UserId): Promise<void> {
  const queue = `exports-${userId % queues}`;
  await giveJob(trx, 'run-export', { taskId: id }, { key: `task-${id}`, queue, attemptsMax: 1 });
}
