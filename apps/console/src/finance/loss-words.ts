import type { LossMark } from '@voltdeck/contract/grid-bills';
import { nothingText } from '../ui/figures.ts';
import type { Tone } from '../ui/state-colours.ts';

/** The tone of a loss that somebody should look at. */
export const lossTones: Readonly<Record<LossMark, Tone>> = { below_zero: 'fault', high: 'occupied' };

/** "12.83"; the head of its column has the unit. */
export function lossText(lossPercent: number | null): string {
  return lossPercent === null ? nothingText : lossPercent.toFixed(2);
}
