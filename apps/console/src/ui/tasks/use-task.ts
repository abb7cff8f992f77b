import { useQueryClient } from '@tanstack/react-query';
import { getTask, type TaskDetail } from '@voltdeck/contract/tasks';
import { useEffect } from 'react';
import type { AnyRoute } from '../../api/call.ts';
import { fetchAgain } from '../../api/fetch-again.ts';
import { keyOf, useAnswer, useRefresh } from '../../api/queries.ts';
import { useTaskChanges } from './use-task-changes.ts';

/** The task as it moves; `changes`, which must stay the same, are fetched again when it is done. */
export function useTask(id: TaskDetail['id'] | null, changes: readonly AnyRoute[]): TaskDetail | undefined {
  const client = useQueryClient();
  const refresh = useRefresh();
  const question = { params: { id: id ?? (0 as TaskDetail['id']) } };
  const answer = useAnswer(getTask, question, { enabled: id !== null });
  useTaskChanges(id, answer.data, () => void fetchAgain(client, keyOf(getTask, question)));
  const isDone = answer.data?.state === 'done';
  useEffect(() => {
    if (isDone) void refresh(...changes);
  }, [isDone, refresh, changes]);
  return id === null ? undefined : answer.data;
}
