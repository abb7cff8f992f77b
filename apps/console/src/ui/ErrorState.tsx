import type { ScreenCode } from '@voltdeck/contract/screens';
import { Button } from 'antd';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { failureText } from './failure-text.ts';
import styles from './page-states.module.css';

type ErrorStateProps = {
  failure: unknown;
  title?: string;
  retry?: () => void;
  /** What to say when the record does not exist, and the list of the others. */
  absent?: { title: string; list: ScreenCode; listName: string };
};

/** What happened, what to try, and the request id to quote. Does not repeat a refusal that a toast has shown. */
export function ErrorState({ failure, title, retry, absent }: ErrorStateProps) {
  const { text, requestId } = failureText(failure);
  const isAbsent = failure instanceof Refused && failure.code === 'record.not_found';
  if (isAbsent && absent !== undefined) {
    return (
      <div className={styles.state} role="alert">
        <strong>{absent.title}</strong>
        <span>{text}</span>
        <ScreenLink screen={absent.list}>{phrase('shell.backToList', { list: absent.listName })}</ScreenLink>
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
      {failure instanceof Refused && failure.isShown ? null : <span>{text}</span>}
      {requestId === undefined ? null : (
        <code className={styles.quote}>{phrase('shell.requestId', { requestId })}</code>
      )}
      {retry === undefined || isAbsent ? null : <Button onClick={retry}>{phrase('shell.retry')}</Button>}
    </div>
  );
}
