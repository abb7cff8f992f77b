import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';

/** The content of a cell; its kind decides how it is written and displayed. An absent value is an empty cell. */
export type Cell =
  | { text: string | null }
  | { number: number | null }
  /** In yuan with two decimals. */
  | { fen: Fen | null }
  /** A calendar day, "2027-12-31". */
  | { day: string | null }
  | { durationMs: number | null }
  /** Date and time in Asia/Shanghai. */
  | { at: Instant | null }
  /** The same with milliseconds. */
  | { exactAt: Instant | null };

export type FileColumn<Row> = { head: string; widthCharacters: number; cell(row: Row): Cell };
