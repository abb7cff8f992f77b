import type { ReactElement } from 'react';
import { type Tone, toneColours } from './state-colours.ts';

/** Each tone has its own shape, so that states do not depend on colour. */
const shapes: Readonly<Record<Tone, ReactElement>> = {
  free: <circle cx="5" cy="5" r="3" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  charging: <path d="M5.8 0 1.6 5.7h2.7L3.6 10l4.8-6.2H5.2z" fill="currentColor" />,
  occupied: <circle cx="5" cy="5" r="3.8" fill="currentColor" />,
  fault: <path d="M5 .6 9.8 9.2H.2zM4.4 3.8v2.6h1.2V3.8zm0 3.4v1.1h1.2V7.2z" fill="currentColor" fillRule="evenodd" />,
  offline: <path d="M1.2 1.2l7.6 7.6M8.8 1.2 1.2 8.8" stroke="currentColor" strokeWidth="1.6" fill="none" />,
};

export function ToneShape({ tone, sizePx = 10 }: { tone: Tone; sizePx?: number }) {
  return (
    <svg
      width={sizePx}
      height={sizePx}
      viewBox="0 0 10 10"
      aria-hidden="true"
      style={{ color: toneColours[tone].mark }}
    >
      {shapes[tone]}
    </svg>
  );
}
