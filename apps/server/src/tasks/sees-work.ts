import { type TaskKind, taskPermissions } from '@voltdeck/contract/tasks';
import { rightsAtStart, type StoredDetail } from '../background/task-details.ts';
import type { UserRights } from '../caller/user-rights.ts';
import { mayCall, seesAllOf } from '../http/bind.ts';

/**
 * Whether somebody still has the rights of a task's kind and reaches all that its starter reached: the task was carried
 * out with the starter's rights. `mayHave` also checks the rights to an exported list.
 */
export function seesWork(now: UserRights, kind: TaskKind, detail: Pick<StoredDetail<TaskKind>, 'caller'>): boolean {
  if (!seesAllOf(now, rightsAtStart(detail, now.userId))) return false;
  return kind === 'export' || mayCall({ permission: taskPermissions[kind] }, now);
}
