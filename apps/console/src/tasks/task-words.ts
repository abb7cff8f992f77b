import type { Task, TaskRowState, TaskState } from '@voltdeck/contract/tasks';
import { phrase } from '../phrases.ts';
import type { Tone } from '../ui/state-colours.ts';

export const taskTones: Readonly<Record<TaskState, Tone>> = {
  waiting: 'occupied',
  running: 'charging',
  done: 'free',
  failed: 'fault',
  cancelled: 'offline',
};

export const taskRowTones: Readonly<Record<TaskRowState, Tone>> = {
  waiting: 'offline',
  sent: 'charging',
  done: 'free',
  refused: 'fault',
  offline: 'offline',
  'timed-out': 'occupied',
  unknown: 'occupied',
  skipped: 'offline',
};

export function taskName({
  kind,
  list,
  command,
  subject,
}: Pick<Task, 'kind' | 'list' | 'command' | 'subject'>): string {
  if (list !== null) return phrase('tasks.exportOf', { list: phrase(`task-list.${list}`) });
  const about = command === null ? subject : phrase(`command.${command}`);
  return phrase('tasks.named', { kind: phrase(`task-kind.${kind}`), subject: about });
}
