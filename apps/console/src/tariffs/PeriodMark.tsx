import type { Period } from '@voltdeck/tariffs/tariff';
import type { CSSProperties } from 'react';
import { phrase } from '../phrases.ts';
import { periodColours } from '../ui/state-colours.ts';
import styles from './tariffs.module.css';

/** A price period's name beside its colour and its character, so that it reads without colour. */
export function PeriodMark({ period }: { period: Period }) {
  const [mark, name] = [phrase(`period-mark.${period}`), phrase(`period.${period}`)];
  return (
    <span className={styles.period}>
      <span
        className={styles.mark}
        style={{ '--period': periodColours[period] } as CSSProperties}
        aria-hidden={mark !== name}
      >
        {mark}
      </span>
      {mark === name ? null : <span className={styles.periodName}>{name}</span>}
    </span>
  );
}
