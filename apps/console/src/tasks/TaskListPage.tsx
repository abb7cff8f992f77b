import type { ErrorCode } from '@voltdeck/contract/errors';
import {
  cancelTask,
  exportLists,
  getTaskFile,
  listTasks,
  type Task,
  type TaskState,
  taskStates,
} from '@voltdeck/contract/tasks';
import { App } from 'antd';
import { call, download } from '../api/call.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { failureText } from '../ui/failure-text.ts';
import { countText, nothingText, sizeText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
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

/** A task that begins or ends has times and a file that its event does not carry: the list is asked, this often at the most. */
const askGapMs = 1_500;

const isUnfinished = ({ state }: Pick<Task, 'state'>) => state === 'waiting' || state === 'running';

const nameOf = (task: Task) => phrase('tasks.exportOf', { list: phrase(`task-list.${task.list}`) });

function taskColumns(): ListColumn<typeof listTasks>[] {
  return [
    { key: 'task', title: phrase('tasks.task'), widthPx: 176, initiallyPinned: true, render: nameOf },
    {
      key: 'state',
      title: phrase('tasks.state'),
      widthPx: 168,
      render: (task) => (
        <span className={styles.state}>
          <StateTag tone={taskTones[task.state]}>{phrase(`task-state.${task.state}`)}</StateTag>
          {task.errorCode === null ? null : (
            <span className={styles.why}>{phrase(`error.${task.errorCode as ErrorCode}`)}</span>
          )}
        </span>
      ),
    },
    {
      key: 'progress',
      title: phrase('tasks.progress'),
      widthPx: 260,
      render: (task) => <TaskProgress task={task} />,
    },
    {
      key: 'size',
      title: phrase('tasks.size'),
      widthPx: 96,
      align: 'right',
      render: (task) => (
        <span className="figure">{task.file === null ? nothingText : sizeText(task.file.sizeBytes)}</span>
      ),
    },
    {
      key: 'used',
      title: phrase('tasks.used'),
      widthPx: 96,
      align: 'right',
      render: (task) => <TimeUsed task={task} />,
    },
    {
      key: 'createdAt',
      title: phrase('tasks.createdAt'),
      widthPx: 148,
      sort: 'createdAt',
      render: (task) => <Instant at={task.createdAt} />,
    },
    {
      key: 'startedAt',
      title: phrase('tasks.startedAt'),
      widthPx: 148,
      render: (task) => <Instant at={task.startedAt} />,
    },
    { key: 'endedAt', title: phrase('tasks.endedAt'), widthPx: 148, render: (task) => <Instant at={task.endedAt} /> },
    { key: 'by', title: phrase('tasks.by'), widthPx: 112, render: (task) => task.userName },
  ];
}

function taskFilters(): ListFilter<typeof listTasks>[] {
  return [
    {
      kind: 'choice',
      name: 'state',
      label: phrase('tasks.state'),
      choices: taskStates.map((value) => ({ value, label: phrase(`task-state.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'list',
      label: phrase('tasks.list'),
      choices: exportLists.map((value) => ({ value, label: phrase(`task-list.${value}`) })),
    },
  ];
}

/** Long work: how far it is, what it made; /taskList. */
export default function TaskListPage() {
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const askAgain = usePaced(() => void refresh(listTasks), askGapMs);

  const fetchFile = async (task: Task) => {
    try {
      const { file, name } = await download(getTaskFile, { params: { id: task.id }, quiet: true });
      saveFile(file, name);
    } catch (failure) {
      message.error(failureText(failure).text);
    }
  };
  const cancel = (task: Task) =>
    void confirm({
      question: phrase('tasks.cancelQuestion', { task: nameOf(task) }),
      details: phrase('tasks.cancelDetails', { done: countText(task.doneCount) }),
      verb: phrase('tasks.cancel'),
      danger: true,
      act: async () => {
        await call(cancelTask, { params: { id: task.id } });
        message.success(phrase('tasks.cancelled'));
        await refresh(listTasks);
      },
    });

  const actsOf = (task: Task): RowAction[] =>
    isUnfinished(task)
      ? [{ key: 'cancel', label: phrase('tasks.cancel'), danger: true, onClick: () => cancel(task) }]
      : [
          {
            key: 'download',
            label: phrase('tasks.download'),
            because:
              task.file !== null ? undefined : phrase(task.state === 'done' ? 'tasks.fileGone' : 'tasks.fileNever'),
            onClick: () => void fetchFile(task),
          },
        ];

  return (
    <ListPage
      name="tasks"
      title={phrase('tasks.title')}
      route={listTasks}
      rowKey={(task) => task.id}
      rowName={(task) => `${nameOf(task)} ${task.id}`}
      filters={taskFilters()}
      columns={taskColumns()}
      toolbar={<span className={styles.retention}>{phrase('tasks.retention')}</span>}
      rowActions={actsOf}
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
      empty={{ title: phrase('tasks.empty'), text: phrase('tasks.emptyText') }}
    />
  );
}
