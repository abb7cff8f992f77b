import type { TaskDetail } from '@voltdeck/contract/tasks';
import { Alert, Progress } from 'antd';
import { taskFailureText } from './task-failure.ts';
import styles from './task-outcome.module.css';

/** What a dialog says of the task that it has started. */
export type TaskTexts = {
  running: string;
  /** That the window may be closed. */
  later: string;
  done: (count: number) => string;
  doneText?: string;
  cancelled: string;
  failed: string;
  cancel: string;
  /** The verb that downloads its file. */
  file: string;
};

/** The progress of a task that a dialog has started, or its outcome. */
export function TaskOutcome({ task, texts }: { task: TaskDetail | undefined; texts: TaskTexts }) {
  const done = task?.doneCount ?? 0;
  switch (task?.state) {
    case 'done':
      return (
        <Alert
          type="success"
          showIcon
          title={texts.done(done)}
          {...(texts.doneText === undefined ? {} : { description: texts.doneText })}
        />
      );
    case 'cancelled':
      return <Alert type="info" showIcon title={texts.cancelled} />;
    case 'failed':
      return <Alert type="error" showIcon title={texts.failed} description={taskFailureText(task)} />;
    default:
      return (
        <>
          <p>{texts.running}</p>
          <Progress
            percent={Math.floor((done / Math.max(1, task?.totalCount ?? 1)) * 100)}
            status="active"
            aria-label={texts.running}
          />
          <p className={styles.later}>{texts.later}</p>
        </>
      );
  }
}
