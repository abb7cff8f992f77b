import type { TaskState } from '@voltdeck/contract/tasks';
import type { TaskId, UserId } from '@voltdeck/units/id';
import type { Bus } from './bus.ts';

export type TaskMoved = {
  id: TaskId;
  userId: UserId;
  state: TaskState;
  doneCount: number;
  totalCount: number | null;
};

/** Publishes to the consoles of the task's user only. Call it after the commit. */
export function publishTask({ bus }: { bus: Bus }, task: TaskMoved): void {
  const { id: taskId, userId, state, doneCount, totalCount } = task;
  bus.publish({ userId, event: { kind: 'task-changed', taskId, state, doneCount, totalCount } });
}
