import type { Caller } from '../caller/caller.ts';
import { mayCall } from '../http/bind.ts';
import { exportableLists } from './export-lists.ts';
import type { ExportDetail } from './task-detail.ts';

/** Whether a caller would by now be given all that an export holds: its rows are those of who they were when they asked. */
export function mayHave(caller: Caller, { list, caller: asker }: ExportDetail): boolean {
  if (!mayCall(exportableLists[list], caller)) return false;
  if (caller.agents === 'all') return true;
  if (asker.agents === 'all' || asker.customerId !== caller.customerId) return false;
  const { agents } = caller;
  return asker.agents.every((agent) => agents.includes(agent));
}
