import type { Task } from '@voltdeck/contract/tasks';
import { type Instant, instant } from '@voltdeck/units/instant';
import { useEffect, useState } from 'react';
import { nothingText } from '../ui/figures.ts';
import { clockText, usedMs } from '../ui/tasks/task-progress.ts';

const tickMs = 1_000;

/** A clock that runs during the task. */
export function TimeUsed({ task }: { task: Task }) {
  const [now, setNow] = useState<Instant>(() => instant(Date.now()));
  const isRunning = task.startedAt !== null && task.endedAt === null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(instant(Date.now())), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  const ms = usedMs(task, now);
  return <span className="figure">{ms === null ? nothingText : clockText(ms)}</span>;
}
