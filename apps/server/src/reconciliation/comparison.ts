import type { Counterpart } from '@voltdeck/contract/reconciliation';
import { dayMs, type Instant, instant, parseShanghaiDate } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';

/** A calendar day of Shanghai: "2026-11-21", from its midnight to the next one. */
export type Day = { day: string; from: Instant; to: Instant };

/** Null for a text that is no day. */
export function dayOf(text: string): Day | null {
  const from = parseShanghaiDate(text);
  return from === null ? null : { day: text, from, to: instant(from + dayMs) };
}

/**
 * How a day is compared with one counterpart, as parts of one statement: both sides of a day stay in the database, so
 * its size is no matter to the server, and both are of one moment.
 */
export type Comparison = {
  counterpart: Counterpart;
  /** Common table expressions that `found` and `sums` read. */
  sides: RawBuilder<unknown>;
  /** The rows of `foundColumns` that differ. */
  found: RawBuilder<unknown>;
  /** One row of `sumColumns`. */
  sums: RawBuilder<unknown>;
};

/** What a comparison says of a difference; `settles` where nobody has to deal with it. */
export const foundColumns = sql.raw(
  `key, kind, subject, payment_id, refund_id, payout_id, order_id, bill_line_id, number, third_party_number,
   our_fen, their_fen, our_wh, their_wh, our_at, their_at, other_day, repair, settles`,
);

export const sumColumns = sql.raw(
  'our_count, our_fen, our_wh, their_count, their_fen, their_wh, fee_fen, matched_count',
);

export const instantSql = (at: Instant) => sql`to_timestamp(${at} / 1000.0)`;
