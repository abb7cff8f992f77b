import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { endingDigits } from './mask-text.ts';

/** Whether a caller sees phones, cards, plates and VINs in full. Registered persons see only their own records. */
export function seesPersonal(caller: Pick<Caller, 'admin' | 'permissions' | 'customerId'>) {
  return may(caller, 'personal.reveal') || caller.customerId !== null;
}

/**
 * The condition that finds a phone, card, plate or VIN. Callers who see it masked must give the whole number, or the four
 * visible last characters of a long one: searching by any other part would reveal the hidden ones one by one.
 */
export function findsPersonal(
  caller: Pick<Caller, 'admin' | 'permissions' | 'customerId'>,
  column: string,
  text: string,
  byPart: RawBuilder<boolean> = sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`,
): RawBuilder<boolean> {
  if (seesPersonal(caller)) return byPart;
  const whole = sql<boolean>`${sql.ref(column)} = ${text}`;
  if (text.length !== endingDigits.shown) return whole;
  const isLong = sql`length(${sql.ref(column)}) >= ${sql.lit(endingDigits.lengthMin)}`;
  return sql`(${whole} or (${byPart} and ${isLong} and right(${sql.ref(column)}, ${sql.lit(endingDigits.shown)}) = ${text}))`;
}

/** The same for a login name, which is a phone when it has eleven digits. */
export function findsName(
  caller: Pick<Caller, 'admin' | 'permissions' | 'customerId'>,
  column: string,
  text: string,
  byPart: RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (seesPersonal(caller)) return byPart;
  const isPhone = sql`${sql.ref(column)} ~ '^[0-9]{11}$'`;
  return sql`((${byPart} and not ${isPhone}) or ${findsPersonal(caller, column, text, byPart)})`;
}
