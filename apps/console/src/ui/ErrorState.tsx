import { Button } from 'antd';
import { Link } from 'react-router';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { failureText } from './failure-text.ts';
import styles from './page-states.module.css';

type ErrorStateProps = {
  failure: unknown;
  title?: string;
  retry?: () => void;
  /** What is said where the record does not exist, and the list that has the others. */
  absent?: { title: string; list: string; listName: string };
};

/** What happened, what to try, and the number to quote. A refusal that a toast has told already is not told again. */
export function ErrorState({ failure, title, retry, absent }: ErrorStateProps) {
  const { text, requestId } = failureText(failure);
  const isAbsent = failure instanceof Refused && failure.code === 'record.not_found';
  if (isAbsent && absent !== undefined) {
    return (
      <div className={styles.state} role="alert">
        <strong>{absent.title}</strong>
        <span>{text}</span>
        <Link to={absent.list}>{phrase('shell.backToList', { list: absent.listName })}</Link>
      </div>
    );
  }
  return (
    <div className={styles.state} role="alert">
      <svg width="40" height="40" viewBox="0 0 40 40" aria-hidden="true" className={styles.drawing}>
        <path d="M2 20h11M27 20h11M13 13v14M27 13v14" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="m17 17 6 6m0-6-6 6" stroke="var(--fault-mark)" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <strong>{title ?? phrase('shell.loadFailed')}</strong>
      {failure instanceof Refused && failure.isTold ? null : <span>{text}</span>}
      {requestId === undefined ? null : (
        <code className={styles.quote}>{phrase('shell.requestId', { requestId })}</code>
      )}
      {retry === undefined || isAbsent ? null : <Button onClick={retry}>{phrase('shell.retry')}</Button>}
    </div>
  );
}
