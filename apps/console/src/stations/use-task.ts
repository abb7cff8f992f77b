import { getTask, type TaskDetail } from '@voltdeck/contract/tasks';
import { useEffect } from 'react';
import type { AnyRoute } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';

/** The task as it moves; `changes`, which must stay the same, are fetched again when it is done. */
export function useTask(id: TaskDetail['id'] | null, changes: readonly AnyRoute[]): TaskDetail | undefined {
  const refresh = useRefresh();
  const answer = useAnswer(getTask, { params: { id: id ?? (0 as TaskDetail['id']) } }, { enabled: id !== null });
  const { refetch } = answer;
  useConsoleEvents('task-changed', (event) => {
    if (event.taskId === id) void refetch();
  });
  const isDone = answer.data?.state === 'done';
  useEffect(() => {
    if (isDone) void refresh(...changes);
  }, [isDone, refresh, changes]);
  return id === null ? undefined : answer.data;
}

export function isUnfinished(task: TaskDetail | undefined): boolean {
  return task === undefined || task.state === 'waiting' || task.state === 'running';
}
