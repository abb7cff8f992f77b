import type { Task } from '@voltdeck/contract/tasks';
import { useEffect, useEffectEvent } from 'react';
import { useConsoleEvents } from '../../api/events.ts';
import { isUnfinished } from './task-end.ts';

/** A page misses what happens between its first answer and the opening of its event stream. */
const lookEveryMs = 5_000;

/** Calls `ask` whenever a task changes, and every few seconds until it has ended. `id` is null before it is started. */
export function useTaskChanges(id: Task['id'] | null, task: Task | undefined, ask: () => void): void {
  const onAsk = useEffectEvent(ask);
  useConsoleEvents('task-changed', (event) => {
    if (event.taskId === id) onAsk();
  });
  useConsoleEvents('missed', () => {
    if (id !== null) onAsk();
  });
  const mayChange = id !== null && isUnfinished(task);
  useEffect(() => {
    if (!mayChange) return;
    const timer = setInterval(() => onAsk(), lookEveryMs);
    return () => clearInterval(timer);
  }, [mayChange]);
}
