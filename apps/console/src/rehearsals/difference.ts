import { fen } from '@voltdeck/units/money';
import { moneyText } from '../ui/figures.ts';

/** "+¥12.00 (+3.4%)"; without the share where nothing was paid before. */
export function differenceText(beforeFen: number, afterFen: number): string {
  const difference = afterFen - beforeFen;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  const amount = `${sign}${moneyText(fen(Math.abs(difference)))}`;
  if (beforeFen === 0) return amount;
  return `${amount} (${sign}${((100 * Math.abs(difference)) / beforeFen).toFixed(1)}%)`;
}
