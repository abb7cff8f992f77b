import { type TaskKind, taskPermissions } from '@voltdeck/contract/tasks';
import { callerOf, type StoredDetail } from '../background/task-details.ts';
import type { Caller } from '../caller/caller.ts';
import { mayCall, seesAllOf } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { exportableLists } from './exportable-lists.ts';

/**
 * Whether the caller still has the rights and the scope for everything a task's file holds, which was written with those
 * of its start.
 */
export function mayHave(caller: Caller, kind: TaskKind, detail: StoredDetail<TaskKind>): boolean {
  if (!seesAllOf(caller, callerOf(detail, caller.userId, caller.language))) return false;
  if (kind !== 'export') return mayCall({ permission: taskPermissions[kind] }, caller);
  const exportable = exportableLists[(detail as StoredDetail<'export'>).list];
  return mayCall(exportable, caller) && isFor(exportable, caller);
}
