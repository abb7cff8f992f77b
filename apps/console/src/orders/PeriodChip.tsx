import type { Period } from '@voltdeck/tariffs/tariff';
import { phrase } from '../phrases.ts';
import { periodColours } from '../ui/state-colours.ts';
import styles from './order-page.module.css';

/** A price period's name with its colour beside it, so that the text stays readable in any theme. */
export function PeriodChip({ period }: { period: Period }) {
  return (
    <span className={styles.period}>
      <span className={styles.periodMark} style={{ background: periodColours[period] }} aria-hidden="true" />
      {phrase(`period.${period}`)}
    </span>
  );
}
