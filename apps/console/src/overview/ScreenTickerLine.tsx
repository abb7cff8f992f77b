import { instant } from '@voltdeck/units/instant';
import type { ReactNode } from 'react';
import { portText } from '../ui/ports/port-text.ts';
import { type Tone, toneColours } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import styles from './screen.module.css';
import { whenText } from './screen-figures.ts';

type Props = {
  tone: Tone;
  /** What happened, in a word. */
  sign: string;
  siteName: string;
  stationName: string;
  connectorNumber: number | null;
  at: string;
  children: ReactNode;
};

/** What happened, where, how much of it, and when. */
export function ScreenTickerLine({ tone, sign, siteName, stationName, connectorNumber, at, children }: Props) {
  return (
    <li>
      <span className={styles.sign} style={{ color: toneColours[tone].text }}>
        <ToneShape tone={tone} />
        {sign}
      </span>
      <span className={styles.place}>
        <span className={styles.name}>{siteName}</span>
        <small>
          {connectorNumber === null ? stationName : `${stationName} · ${portText({ number: connectorNumber })}`}
        </small>
      </span>
      <span className={styles.amounts}>{children}</span>
      <time className={styles.when} dateTime={at}>
        {whenText(at, instant(Date.now()))}
      </time>
    </li>
  );
}
