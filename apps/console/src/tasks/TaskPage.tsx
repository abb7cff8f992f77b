import { getTask, listTaskRows, listTasks, type Task, type TaskDetail, taskRowStates } from '@voltdeck/contract/tasks';
import type { StationId, TaskId } from '@voltdeck/units/id';
import { Skeleton } from 'antd';
import { Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { usePaced } from '../api/paced.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import type { ListPageProps } from '../ui/list-page.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { useTabTitle } from '../ui/tab-title.ts';
import { TaskProgress } from '../ui/tasks/TaskProgress.tsx';
import { isUnfinished } from '../ui/tasks/task-end.ts';
import { taskFailureText } from '../ui/tasks/task-failure.ts';
import { useTaskChanges } from '../ui/tasks/use-task-changes.ts';
import { RowAnswer } from './RowAnswer.tsx';
import { TimeUsed } from './TimeUsed.tsx';
import { taskActs } from './task-acts.ts';
import { taskName, taskRowTones, taskTones } from './task-words.ts';
import styles from './tasks.module.css';

const RetryForm = lazyPart(() => import('./RetryForm.tsx'));

/** Minimum interval between fetches of the rows while a task runs. */
const askGapMs = 1_500;

/** One task: its progress, and each of its records with what became of it; /taskDetail?id=. */
export default function TaskPage() {
  const id = useRecordId<TaskId>();
  if (id === null) return <NoTask />;
  return <TaskOf key={id} id={id} />;
}

function NoTask() {
  return (
    <EmptyState
      title={phrase('tasks.notFound')}
      text={phrase('tasks.notFoundText')}
      action={<ScreenLink screen="taskList">{phrase('shell.backToList', { list: phrase('tasks.title') })}</ScreenLink>}
    />
  );
}

function TaskOf({ id }: { id: TaskId }) {
  const answer = useAnswer(getTask, { params: { id } });
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(getTask, listTaskRows), askGapMs);
  useTaskChanges(id, answer.data, askAgain);
  useTabTitle(answer.data === undefined ? undefined : taskName(answer.data));
  const kind = answer.data?.kind;
  const look = useMemo((): ListPageProps<typeof listTaskRows>['look'] => {
    const isAboutStations = kind === 'station-commands';
    return {
      line: { widthPx: 72 },
      label: {
        widthPx: 220,
        isPinned: true,
        link: ({ recordId }) =>
          isAboutStations && recordId !== null ? place('deviceDetail', { id: recordId as StationId }) : null,
      },
      state: {
        widthPx: 420,
        isKeyFact: true,
        render: (row) => (
          <span className={styles.rowState}>
            <StateTag tone={taskRowTones[row.state]}>{phrase(`task-row-state.${row.state}`)}</StateTag>
            <RowAnswer row={row} />
          </span>
        ),
      },
    };
  }, [kind]);
  if (answer.isPending) {
    return (
      <div className={styles.page}>
        <Skeleton active paragraph={{ rows: 6 }} />
      </div>
    );
  }
  if (answer.data === undefined) {
    const absent = { title: phrase('tasks.notFound'), list: 'taskList', listName: phrase('tasks.title') } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const task = answer.data;
  return (
    <ListPage
      list={listTaskRows}
      name={`task-rows-${task.kind}`}
      title="tasks.rowsTitle"
      nameOf={({ label }) => label}
      isPart
      fixed={{ taskId: id }}
      filters={{ state: {} }}
      look={look}
      before={() => <TaskHead task={task} />}
      empty={{ title: 'tasks.noRows' }}
    />
  );
}

/** What it does, how far it is, and how its records fared. */
function TaskHead({ task }: { task: TaskDetail }) {
  const can = useCan();
  const [isRetrying, setRetrying] = useState(false);
  const { actsOf } = useActs<Task>(taskActs, undefined, { list: listTasks });
  const mayRetry = task.kind === 'station-commands' && !isUnfinished(task) && can('station.command');
  const acts = [
    ...(mayRetry ? [{ key: 'retry', label: phrase('tasks.retry'), onClick: () => setRetrying(true) }] : []),
    ...actsOf(task).filter(({ key }) => key !== 'download' || task.file !== null),
  ];
  useOfferedActs(acts.map((act) => ({ ...act, key: `task.${act.key}` })));
  const known = taskRowStates.filter((state) => (task.rowCounts[state] ?? 0) > 0);
  return (
    <section className={styles.head} aria-label={phrase('tasks.glance')}>
      <div className={styles.headLine}>
        <h1 className={styles.name}>{taskName(task)}</h1>
        <StateTag tone={taskTones[task.state]}>{phrase(`task-state.${task.state}`)}</StateTag>
        {task.errorCode === null ? null : <span className={styles.why}>{taskFailureText(task)}</span>}
        <div className={styles.headActs}>
          {acts.map(({ key, label, ...act }) => (
            <DisabledReason key={key} {...act}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <TaskProgress task={task} />
      <p className={styles.facts}>
        <span>
          {phrase('tasks.by')} {task.userName}
        </span>
        <span>
          {phrase('tasks.createdAt')} <Instant at={task.createdAt} />
        </span>
        <span>
          {phrase('tasks.used')} <TimeUsed task={task} />
        </span>
      </p>
      {known.length === 0 ? null : (
        <ul className={styles.counts}>
          {known.map((state) => (
            <li key={state}>
              <ScreenLink screen="taskDetail" query={{ id: task.id, state: [state] }}>
                <StateTag tone={taskRowTones[state]}>{phrase(`task-row-state.${state}`)}</StateTag>{' '}
                <span className="figure">{countText(task.rowCounts[state] ?? 0)}</span>
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
      <Suspense>
        <RetryForm task={task} open={isRetrying} onClose={() => setRetrying(false)} />
      </Suspense>
    </section>
  );
}
