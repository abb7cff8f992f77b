import { noteParts } from '@voltdeck/contract/note-text';
import type { ChargeNoteRow } from '@voltdeck/contract/readings';
import { knownPhrase } from '../phrases.ts';
import styles from './readings.module.css';

/** What vehicle and charger told each other, in words and units. */
export function NoteParts({ values }: Pick<ChargeNoteRow, 'values'>) {
  return (
    <dl className={styles.parts}>
      {noteParts(values, (key) => knownPhrase(key) ?? null).map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
