import { randomInt } from 'node:crypto';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';

/** "R20261121", for example, and twelve random digits, which do not reveal how many there are. */
export function receiptNumber(
  letter: 'A' | 'B' | 'C' | 'E' | 'F' | 'G' | 'I' | 'K' | 'L' | 'O' | 'P' | 'R' | 'T' | 'W' | 'D',
  at: Instant,
): string {
  const digits = String(randomInt(1_000_000)).padStart(6, '0') + String(randomInt(1_000_000)).padStart(6, '0');
  return `${letter}${shanghaiDate(at).replaceAll('-', '')}${digits}`;
}
