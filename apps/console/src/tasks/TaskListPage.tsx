import type { ErrorCode } from '@voltdeck/contract/errors';
import { cancelTask, getTaskFile, listTasks, type Task, type TaskState } from '@voltdeck/contract/tasks';
import { call, download } from '../api/call.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { Tone } from '../ui/state-colours.ts';
import { TaskProgress } from './TaskProgress.tsx';
import { TimeUsed } from './TimeUsed.tsx';
import styles from './tasks.module.css';

const taskTones: Readonly<Record<TaskState, Tone>> = {
  waiting: 'occupied',
  running: 'charging',
  done: 'free',
  failed: 'fault',
  cancelled: 'offline',
};

/**
 * Minimum interval between fetches. The events of a task do not carry its times and its file, so the list is fetched
 * when one starts or ends.
 */
const askGapMs = 1_500;

const isUnfinished = ({ state }: Task) => state === 'waiting' || state === 'running';
const nameOf = ({ list }: Task) => phrase('tasks.exportOf', { list: phrase(`task-list.${list}`) });

const look: ListPageProps<typeof listTasks>['look'] = {
  list: { title: 'tasks.task', widthPx: 176, isPinned: true, text: nameOf },
  state: {
    widthPx: 168,
    render: ({ state, errorCode }) => (
      <span className={styles.state}>
        <StateTag tone={taskTones[state]}>{phrase(`task-state.${state}`)}</StateTag>
        {errorCode === null ? null : <span className={styles.why}>{phrase(`error.${errorCode as ErrorCode}`)}</span>}
      </span>
    ),
  },
  doneCount: { widthPx: 260, render: (task) => <TaskProgress task={task} /> },
  used: { render: (task) => <TimeUsed task={task} /> },
};

const acts: Acts<Task> = {
  cancel: {
    on: 'row',
    label: 'tasks.cancel',
    danger: true,
    isFor: isUnfinished,
    deed: (task) => ({
      ask: {
        question: phrase('tasks.cancelQuestion', { task: nameOf(task) }),
        details: phrase('tasks.cancelDetails', { done: countText(task.doneCount) }),
        verb: phrase('tasks.cancel'),
      },
      do: async () => {
        await call(cancelTask, { params: { id: task.id } });
        return phrase('tasks.cancelled');
      },
    }),
  },
  download: {
    on: 'row',
    label: 'tasks.download',
    isFor: (task) => !isUnfinished(task),
    because: ({ file, state }) =>
      file !== null ? undefined : phrase(state === 'done' ? 'tasks.fileGone' : 'tasks.fileNever'),
    deed: ({ id }) => ({
      do: async () => {
        const { file, name } = await download(getTaskFile, { params: { id }, quiet: true });
        saveFile(file, name);
        return null;
      },
    }),
  },
};

/** Long-running tasks: their progress and results; /taskList. */
export default function TaskListPage() {
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(listTasks), askGapMs);
  return (
    <ListPage
      list={listTasks}
      title="tasks.title"
      nameOf={(task) => `${nameOf(task)} ${task.id}`}
      note="tasks.retention"
      filters={{ state: {}, list: {} }}
      look={look}
      acts={acts}
      live={{
        'task-changed': {
          concerns: (task, event) => task.id === event.taskId,
          patch: (task, event) => {
            if (task.state !== event.state) askAgain();
            return { ...task, state: event.state, doneCount: event.doneCount, totalCount: event.totalCount };
          },
          mayAdd: () => true,
        },
      }}
      empty={{ title: 'tasks.empty', text: 'tasks.emptyText' }}
    />
  );
}
