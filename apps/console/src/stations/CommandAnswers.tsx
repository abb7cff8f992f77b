import { LoadingOutlined } from '@ant-design/icons';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { StateTag } from '../ui/StateTag.tsx';
import styles from './stations.module.css';
import type { CommandEntry } from './use-commands.ts';

/** Commands to the station with its answers, newest first. */
export function CommandAnswers({ entries }: { entries: readonly CommandEntry[] }) {
  return (
    <div aria-live="polite">
      {entries.length === 0 ? (
        <p className={styles.quiet}>{phrase('stations.noCommandYet')}</p>
      ) : (
        <ul className={styles.answers}>
          {entries.map((entry) => (
            <li key={entry.key}>
              <span className={`figure ${styles.quiet}`}>{isoDateTime(entry.askedAt)?.slice(11)}</span>
              <span>{entry.label}</span>
              <span className={styles.answer}>
                {entry.answer === null ? (
                  <>
                    <LoadingOutlined /> {phrase('stations.waitingForAnswer')}
                  </>
                ) : (
                  <>
                    <StateTag tone={entry.answer.tone}>{entry.answer.text}</StateTag>
                    <span className={`figure ${styles.quiet}`}>{countText(entry.answer.tookMs)} ms</span>
                  </>
                )}
              </span>
              {entry.answer?.details == null ? null : <pre className={styles.details}>{entry.answer.details}</pre>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
