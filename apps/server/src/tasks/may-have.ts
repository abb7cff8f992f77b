import type { Caller } from '../caller/caller.ts';
import { mayCall, seesAllOf } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { exportableLists } from './exportable-lists.ts';
import { callerOf, type ExportDetail } from './task-detail.ts';

/**
 * Whether the caller still has the rights and the scope for all rows of an export, which were read with those of its
 * start.
 */
export function mayHave(caller: Caller, detail: ExportDetail): boolean {
  const { list } = detail;
  const exportable = exportableLists[list];
  return (
    mayCall(exportable, caller) &&
    isFor(exportable, caller) &&
    seesAllOf(caller, callerOf(detail, caller.userId, caller.language))
  );
}
