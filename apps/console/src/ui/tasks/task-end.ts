import type { Task } from '@voltdeck/contract/tasks';

/** Also true of a task that is not known yet. */
export function isUnfinished(task: Pick<Task, 'state'> | undefined): boolean {
  return task === undefined || task.state === 'waiting' || task.state === 'running';
}
