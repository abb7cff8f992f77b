import type { Task } from '@voltdeck/contract/tasks';
import { type Instant, parseIso } from '@voltdeck/units/instant';

/** Progress in whole percent; a running task never reaches 100. Null while the total is unknown. */
export function percentOf(task: Pick<Task, 'state' | 'doneCount' | 'totalCount'>): number | null {
  if (task.state === 'done') return 100;
  if (task.totalCount === null) return null;
  if (task.totalCount === 0) return 0;
  return Math.min(99, Math.floor((task.doneCount / task.totalCount) * 100));
}

/** How long the task has been running, in ms; null while it waits. A clock that is behind gives zero. */
export function usedMs(task: Pick<Task, 'startedAt' | 'endedAt'>, now: Instant): number | null {
  const from = task.startedAt === null ? null : parseIso(task.startedAt);
  if (from === null) return null;
  const to = task.endedAt === null ? now : (parseIso(task.endedAt) ?? now);
  return Math.max(0, to - from);
}

const secondMs = 1_000;

/** "1:02:03", "4:05"; under a minute "0:07". */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / secondMs);
  const two = (figure: number) => String(figure).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
