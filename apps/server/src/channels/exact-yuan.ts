import { type Fen, parseYuan } from '@voltdeck/units/money';

/**
 * Yuan as channels write them, to the fen: "12.3", "-0.60", "0.06000". Null for anything with a fraction of a fen, so
 * that no amount is ever rounded.
 */
export function exactYuan(text: string): Fen | null {
  return parseYuan(text.trim().replace(/(\.\d{2})0+$/, '$1'));
}
