import type { Caller } from '../caller/caller.ts';
import { reachesAllOf } from '../caller/scope.ts';
import { mayCall } from '../http/bind.ts';
import { exportableLists } from './exportable-lists.ts';
import type { ExportDetail } from './task-detail.ts';

/** Whether a caller would by now be given all that an export holds: its rows are those of who they were when they asked. */
export function mayHave(caller: Caller, { list, caller: asker }: ExportDetail): boolean {
  return mayCall(exportableLists[list], caller) && reachesAllOf(caller, asker);
}
