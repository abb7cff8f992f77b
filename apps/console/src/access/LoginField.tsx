import type { ReactNode } from 'react';
import styles from './login.module.css';

type LoginFieldProps = {
  label: string;
  id: string;
  fault?: string | undefined;
  /** Shown while there is no fault. */
  hint?: string | undefined;
  children: ReactNode;
};

/** A label, its control, and the field's fault or hint below. */
export function LoginField({ label, id, fault, hint, children }: LoginFieldProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.control}>{children}</div>
      <div id={`${id}-fault`} className={styles.fault} data-hint={fault === undefined} aria-live="polite">
        {fault ?? hint}
      </div>
    </div>
  );
}
