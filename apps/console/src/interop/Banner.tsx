import type { ReactNode } from 'react';
import styles from './interop.module.css';

/** What has to be known of all rows of a list, above them. */
export function Banner({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={styles.banner}>
      {children}
    </div>
  );
}
