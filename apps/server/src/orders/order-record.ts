import { type Instant, shanghaiDateTime, toIso } from '@voltdeck/units/instant';
import { type RawBuilder, sql } from 'kysely';

/** What happened to an order; the names are phrase keys of the order's timeline. */
export type TimelineEvent =
  | 'placed'
  | 'start_asked'
  | 'start_refused'
  | 'started'
  | 'hold_extended'
  | 'hold_released'
  | 'stop_asked'
  | 'ended'
  | 'settled'
  | 'settlement_waits'
  | 'cancelled'
  | 'flagged'
  | 'refunded'
  | 'debt_repaid'
  | 'repayment_undone'
  | 'written_off'
  | 'settled_by_hand'
  | 'accepted'
  | 'dismissed'
  | 'stop_assigned';

/** An entry before it is written with its time. */
export type TimelineFact = { event: TimelineEvent; params?: Readonly<Record<string, unknown>> };

export type TimelineEntry = { at: string; event: TimelineEvent; params: Readonly<Record<string, unknown>> };

export function timelineEntry(
  at: Instant,
  event: TimelineEvent,
  params: Readonly<Record<string, unknown>> = {},
): TimelineEntry {
  return { at: toIso(at), event, params };
}

export function timelineEntries(facts: readonly TimelineFact[], at: Instant): TimelineEntry[] {
  return facts.map((fact) => timelineEntry(at, fact.event, fact.params));
}

/** `timeline || […]`, for an update. */
export function appendTimeline(...entries: readonly TimelineEntry[]): RawBuilder<unknown> {
  return sql`timeline || ${JSON.stringify(entries)}::jsonb`;
}

/** The number of the next order, in the form of `orderNumber`. */
export function nextOrderNumber(at: Instant): RawBuilder<string> {
  return sql`${numberTime(at)} || lpad((nextval('order_numbers') % ${sql.lit(sequenceModulus)})::text, 8, '0')`;
}

const sequenceModulus = 100_000_000;

function numberTime(at: Instant): string {
  return shanghaiDateTime(at).replaceAll(/\D/g, '');
}

export const orderNumberLength = 22;

/** "20261121143000" in Asia/Shanghai and eight digits of a sequence: 22 digits, sortable, unique. */
export function orderNumber(at: Instant, sequence: number): string {
  return numberTime(at) + String(sequence % sequenceModulus).padStart(8, '0');
}
