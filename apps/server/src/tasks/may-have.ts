import type { TaskKind } from '@voltdeck/contract/tasks';
import type { StoredDetail } from '../background/task-details.ts';
import type { UserRights } from '../caller/user-rights.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { exportableLists } from './exportable-lists.ts';
import { seesWork } from './sees-work.ts';

/** Whether somebody still has the rights and the scope for all that a task does and all that its file holds. */
export function mayHave(now: UserRights, kind: TaskKind, detail: StoredDetail<TaskKind>): boolean {
  if (!seesWork(now, kind, detail)) return false;
  if (kind !== 'export') return true;
  const exportable = exportableLists[(detail as StoredDetail<'export'>).list];
  return mayCall(exportable, now) && isFor(exportable, now);
}
