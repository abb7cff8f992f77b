import type { ExportFormat } from '@voltdeck/contract/list';
import type { Language, Permission } from '@voltdeck/contract/permissions';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';

/** What an export needs to run later as the person who requested it, with their scope at that time. */
export type ExportDetail = {
  list: ExportList;
  /** Absent in tasks of a version that only had xlsx. */
  format?: ExportFormat;
  query: Readonly<Record<string, string>>;
  /** Some lists show more to users with more permissions. Absent in tasks of a version without such lists. */
  caller: Pick<Caller, 'userName' | 'admin' | 'dataScope' | 'agents' | 'customerId'> & {
    permissions?: readonly Permission[];
    menuCodes?: readonly string[];
  };
};

export function detailOf(
  { userName, admin, dataScope, agents, customerId, permissions, menuCodes }: Caller,
  wanted: Pick<ExportDetail, 'list' | 'format' | 'query'>,
): ExportDetail {
  const rights = { permissions: [...permissions], menuCodes: [...menuCodes] };
  return { ...wanted, caller: { userName, admin, dataScope, agents, customerId, ...rights } };
}

/** The caller as of the request. */
export function callerOf({ caller }: ExportDetail, userId: UserId, language: Language): Caller {
  const rights = { permissions: new Set(caller.permissions ?? []), menuCodes: new Set(caller.menuCodes ?? []) };
  return { ...caller, userId, language, ...rights, remoteAddress: '' };
}

/** Concurrent exports; each user's run one after the other, so that nobody takes all places. */
const queues = 2;

/** Gives a task to the workers, in the transaction that creates it. A waiting task is not given twice. */
export async function giveToWorkers(trx: Trx, id: TaskId, userId: UserId): Promise<void> {
  const queue = `exports-${userId % queues}`;
  await giveJob(trx, 'run-export', { taskId: id }, { key: `task-${id}`, queue, attemptsMax: 1 });
}
