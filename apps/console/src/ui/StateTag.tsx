import type { ReactNode } from 'react';
import { type Tone, toneColours } from './state-colours.ts';
import styles from './state-tag.module.css';
import { ToneShape } from './ToneShape.tsx';

/** A state in words, with the colour and shape of its tone. state-colours.ts has the tones. */
export function StateTag({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { text, fill } = toneColours[tone];
  return (
    <span className={styles.tag} style={{ color: text, background: fill }}>
      <ToneShape tone={tone} />
      {children}
    </span>
  );
}
