import { type RawBuilder, sql } from 'kysely';
import { areFrequent } from './frequent-pieces.ts';
import { containing } from './list-page.ts';

/** The pieces that index a column (the function `text_pieces` of the migrations). */
const pieceLengths = { name: 2, number: 3 } as const;

/** Unique columns whose texts are all of one length, so that a text of that length is only ever a whole one. */
const wholeLengths = { 'cards.number': 16, 'customers.phone': 11 } as const;

/** Whether the text is as long as every text of the column, so that at most one record has it. */
export function isWhole(column: keyof typeof wholeLengths, text: string): boolean {
  return text.length === wholeLengths[column];
}

/** Whether the column contains the text, in either case. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} ilike ${containing(text)}`;
}

/**
 * Contains the text, for a column whose pieces are indexed. The index serves a text that is at least as long as a piece
 * and has one that few records share; the pieces of a record are costly to make, so all others are looked for without.
 * A whole number is found by the column's own index.
 */
export function hasPart(column: string, as: keyof typeof pieceLengths, text: string): RawBuilder<boolean> {
  if (column in wholeLengths && isWhole(column as keyof typeof wholeLengths, text))
    return sql`${sql.ref(column)} = ${text.toUpperCase()}`;
  const isThere = contains(column, text);
  const pieces = piecesOf(text, pieceLengths[as]);
  if (pieces.length === 0 || areFrequent(column, pieces)) return isThere;
  const length = sql.lit(pieceLengths[as]);
  return sql`(text_pieces(${sql.ref(column)}, ${length}) @> text_pieces(${text}, ${length}) and ${isThere})`;
}

/** As `text_pieces` makes them. */
function piecesOf(text: string, length: number): string[] {
  const letters = [...text.toLowerCase()];
  const count = Math.max(0, letters.length - length + 1);
  return Array.from({ length: count }, (_, at) => letters.slice(at, at + length).join(''));
}

/** Whether the column begins with the text, by a bytewise index of the column. */
export function beginsWith(column: string, text: string): RawBuilder<boolean> {
  return sql`(${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${beyond(text)})`;
}

/** Whether the column ends with the text, by a bytewise index of the reversed column. */
export function endsWith(column: string, text: string): RawBuilder<boolean> {
  const end = [...text].reverse().join('');
  return sql`(reverse(${sql.ref(column)}) >= ${end} and reverse(${sql.ref(column)}) < ${beyond(end)})`;
}

/** Sorts after every text that begins with `prefix`: no character is greater than the last one of Unicode. */
function beyond(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
