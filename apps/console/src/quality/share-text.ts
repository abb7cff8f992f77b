import { nothingText, percentText } from '../ui/figures.ts';

/** "98.3%": a part of a whole; a dash where there is nothing to be a part of. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? nothingText : percentText((100 * part) / whole, 1);
}
