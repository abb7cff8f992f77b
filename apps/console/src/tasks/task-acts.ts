import { cancelTask, getTask, getTaskFile, type Task } from '@voltdeck/contract/tasks';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { countText } from '../ui/figures.ts';
import type { Acts } from '../ui/list-page.ts';
import { isUnfinished } from '../ui/tasks/task-end.ts';
import { taskName } from './task-words.ts';

/** Acts on a task, in the list and on its own page. */
export const taskActs = {
  cancel: {
    on: 'row',
    label: 'tasks.cancel',
    danger: true,
    isFor: isUnfinished,
    deed: (task) => ({
      ask: {
        question: phrase('tasks.cancelQuestion', { task: taskName(task) }),
        details: phrase(`task-cancel.${task.kind}`, { done: countText(task.doneCount) }),
        verb: phrase('tasks.cancel'),
      },
      do: async (idempotencyKey) => {
        await call(cancelTask, { params: { id: task.id }, idempotencyKey });
        return phrase('tasks.cancelled');
      },
    }),
    changes: [getTask],
  },
  download: {
    on: 'row',
    label: 'tasks.download',
    isFor: (task) => !isUnfinished(task),
    because: ({ file, state }) =>
      file !== null ? undefined : phrase(state === 'done' ? 'tasks.fileGone' : 'tasks.fileNever'),
    deed: ({ id }) => ({
      do: async () => {
        await fetchFile(getTaskFile, { params: { id } });
        return null;
      },
    }),
  },
} satisfies Acts<Task>;
