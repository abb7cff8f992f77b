import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

export type PanelProps = {
  title: ReactNode;
  /** A note beside the title. */
  note?: ReactNode;
  /** Tools on the right of the title. */
  tools?: ReactNode;
  /** For content with its own padding: a table, a chart. */
  flush?: boolean;
  children: ReactNode;
};

/** A titled part of a page: white, a thin border, 8 px corners. */
export function Panel({ title, note, tools, flush = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={styles.panel} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        {tools === undefined ? null : <div className={styles.tools}>{tools}</div>}
      </header>
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
