import { parseIso } from '@voltdeck/units/instant';
import { type ReactNode, useId } from 'react';
import { phrase } from '../phrases.ts';
import { nothingText } from '../ui/figures.ts';
import { CalmNumber } from './CalmNumber.tsx';
import styles from './screen.module.css';
import { whenText } from './screen-figures.ts';
import { useLiveness } from './screen-hearing.ts';
import type { Heard } from './screen-liveness.ts';

/** What a panel shows is true of `at`, and came when it was heard. */
export type Told = Heard & { at: string | null };
export const nothingTold: Told = { receivedAtMs: 0, ageMs: 0, at: null };

type Props = { title: string; told: Told; children: ReactNode; isGrowing?: boolean; tools?: ReactNode };

/** A panel of the big screen. What is no longer of now is dimmed and says of when it is. */
export function ScreenPanel({ title, told, children, isGrowing = false, tools }: Props) {
  const heading = useId();
  const liveness = useLiveness(told);
  const isLate = liveness !== 'live' && liveness !== 'none';
  return (
    <section className={styles.panel} data-growing={isGrowing} data-liveness={liveness} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {isLate ? <Late told={told} /> : tools}
      </header>
      {children}
    </section>
  );
}

/** Of when something is that is late. */
export function Late({ told }: { told: Told }) {
  const { at } = told;
  if (at === null) return null;
  const now = parseIso(new Date().toISOString());
  return <span className={styles.late}>{phrase('screen.asOf', { time: now === null ? at : whenText(at, now) })}</span>;
}

type FigureProps = {
  label: string;
  value: number | null | undefined;
  format: (value: number) => string;
  note?: ReactNode;
};

export function ScreenFigure({ label, value, format, note }: FigureProps) {
  return (
    <div className={styles.figure}>
      <span>{label}</span>
      <strong>
        {value === undefined || value === null ? nothingText : <CalmNumber value={value} format={format} />}
      </strong>
      {note}
    </div>
  );
}
