import { listTasks, type Task } from '@voltdeck/contract/tasks';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { TaskProgress } from '../ui/tasks/TaskProgress.tsx';
import { taskFailureText } from '../ui/tasks/task-failure.ts';
import { TimeUsed } from './TimeUsed.tsx';
import { taskActs } from './task-acts.ts';
import { taskName, taskTones } from './task-words.ts';
import styles from './tasks.module.css';

/**
 * Minimum interval between fetches. The events of a task do not carry its times and its file, so the list is fetched
 * when one starts or ends.
 */
const askGapMs = 1_500;

/** An export has nothing but its file. */
function pageOf({ id, kind }: Task) {
  switch (kind) {
    case 'export':
      return null;
    case 'rehearsal':
      return place('rehearsalDetail', { id });
    default:
      return place('taskDetail', { id });
  }
}

const look: ListPageProps<typeof listTasks>['look'] = {
  kind: { title: 'tasks.task', widthPx: 176, isPinned: true, text: taskName, link: pageOf },
  list: { isHidden: true },
  subject: { isHidden: true },
  state: {
    widthPx: 168,
    render: (task) => (
      <span className={styles.state}>
        <StateTag tone={taskTones[task.state]}>{phrase(`task-state.${task.state}`)}</StateTag>
        {task.errorCode === null ? null : <span className={styles.why}>{taskFailureText(task)}</span>}
      </span>
    ),
  },
  doneCount: { widthPx: 260, render: (task) => <TaskProgress task={task} /> },
  used: { render: (task) => <TimeUsed task={task} /> },
};

/** Long-running tasks: their progress and results; /taskList. */
export default function TaskListPage() {
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(listTasks), askGapMs);
  return (
    <ListPage
      list={listTasks}
      title="tasks.title"
      nameOf={(task) => `${taskName(task)} ${task.id}`}
      note="tasks.retention"
      filters={{ state: {}, kind: {}, list: {} }}
      look={look}
      acts={taskActs}
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
