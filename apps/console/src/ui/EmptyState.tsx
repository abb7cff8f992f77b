import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import styles from './page-states.module.css';

/** One sentence and the next step. */
export function EmptyState({ title, text, action }: { title?: string; text?: string; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <svg width="48" height="36" viewBox="0 0 48 36" aria-hidden="true" className={styles.drawing}>
        <rect x="3" y="3" width="42" height="30" rx="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M3 12h42M12 20h14M12 26h8" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <strong>{title ?? phrase('list.empty')}</strong>
      {text === undefined ? null : <span>{text}</span>}
      {action}
    </div>
  );
}
