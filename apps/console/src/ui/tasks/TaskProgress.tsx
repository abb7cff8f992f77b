import type { Task } from '@voltdeck/contract/tasks';
import { phrase } from '../../phrases.ts';
import { countText } from '../figures.ts';
import styles from './task-progress.module.css';
import { percentOf } from './task-progress.ts';

/** A progress bar with figures: rows written out of rows to write. */
export function TaskProgress({ task }: { task: Task }) {
  const percent = percentOf(task);
  const rows =
    task.totalCount === null || task.state === 'done'
      ? phrase('tasks.rows', { done: countText(task.doneCount) })
      : phrase('tasks.rowsOf', { done: countText(task.doneCount), total: countText(task.totalCount) });
  return (
    <span className={styles.progress}>
      <span
        className={styles.track}
        role="progressbar"
        aria-label={phrase('tasks.progress')}
        aria-valuetext={percent === null ? rows : `${percent}% ${rows}`}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
        data-state={task.state}
        data-unknown={percent === null && task.state === 'running'}
      >
        <span className={styles.fill} style={{ width: `${percent ?? 0}%` }} />
      </span>
      <span className="figure">{percent === null ? rows : `${percent}%`}</span>
      {percent === null ? null : <span className={`figure ${styles.rows}`}>{rows}</span>}
    </span>
  );
}
