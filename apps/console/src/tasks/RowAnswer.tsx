import type { ErrorCode, FieldFault } from '@voltdeck/contract/errors';
import type { TaskRow } from '@voltdeck/contract/tasks';
import { phrase } from '../phrases.ts';
import { isOutcome, outcomeView } from '../stations/outcome.ts';
import styles from './tasks.module.css';

/** What became of a record, beyond its state: the station's answer, the fault of a line. */
export function RowAnswer({ row }: { row: TaskRow }) {
  const text = rowAnswer(row);
  if (text === null) return null;
  return (
    <span className={styles.answer} title={text}>
      {text}
    </span>
  );
}

function rowAnswer({ state, detail }: Pick<TaskRow, 'state' | 'detail'>): string | null {
  if (state === 'unknown') return phrase('tasks.unknownText');
  if (typeof detail !== 'object' || detail === null) return null;
  if ('outcome' in detail && isOutcome(detail.outcome)) {
    const { kind, details } = outcomeView(detail.outcome);
    const isPlain = state === 'offline' || state === 'timed-out' || (state === 'done' && kind === 'accepted');
    const words = isPlain ? [] : [phrase(`command-outcome.${kind}`)];
    return [...words, ...(details === null ? [] : [details])].join(' · ') || null;
  }
  if ('error' in detail) return phrase(`error.${detail.error as ErrorCode}`);
  if ('because' in detail) {
    return phrase(detail.because === 'not-supported' ? 'tasks.notSupported' : 'tasks.stationGone');
  }
  if ('faults' in detail && Array.isArray(detail.faults)) {
    return detail.faults
      .map(({ path, code, params }: FieldFault) => `${path}: ${phrase(`field.${code}`, params)}`)
      .join(' · ');
  }
  return null;
}
