import type { AbnormalRule } from '@voltdeck/charging/states';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, shanghaiDateTime, toIso } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export type Flag = { rule: AbnormalRule; evidence: Readonly<Record<string, unknown>> };

/** What happened to an order; the names are phrase keys of the order's timeline. */
export type TimelineEvent =
  | 'placed'
  | 'start_asked'
  | 'start_refused'
  | 'started'
  | 'hold_extended'
  | 'stop_asked'
  | 'ended'
  | 'settled'
  | 'settlement_waits'
  | 'cancelled'
  | 'flagged'
  | 'refunded'
  | 'debt_repaid'
  | 'repayment_undone'
  | 'settled_by_hand';

export function timelineEntry(at: Instant, event: TimelineEvent, params: Readonly<Record<string, unknown>> = {}) {
  return { at: toIso(at), event, params };
}

/** `timeline || […]`, for an update. */
export function appendTimeline(...entries: ReturnType<typeof timelineEntry>[]): RawBuilder<unknown> {
  return sql`timeline || ${JSON.stringify(entries)}::jsonb`;
}

/** Marks an order for a person's attention, with the evidence. A rule flags an order once: the first evidence stays. */
export async function flagOrder(
  trx: Transaction<Tables>,
  orderId: OrderId,
  flags: readonly Flag[],
  at: Instant,
): Promise<void> {
  if (flags.length === 0) return;
  await trx
    .insertInto('order_flags')
    .values(flags.map((flag) => ({ order_id: orderId, rule: flag.rule, at, evidence: JSON.stringify(flag.evidence) })))
    .onConflict((conflict) => conflict.columns(['order_id', 'rule']).doNothing())
    .execute();
}

/** "20261121143000" in Asia/Shanghai and eight digits of a sequence: 22 digits, sortable, unique. */
export function orderNumber(at: Instant, sequence: number): string {
  return shanghaiDateTime(at).replaceAll(/\D/g, '') + String(sequence % 100_000_000).padStart(8, '0');
}

export async function nextNumber(
  trx: Transaction<Tables>,
  sequence: 'transaction_numbers' | 'order_numbers',
): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval(${sequence})::bigint as number`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error(`no next number of ${sequence}`);
  return row.number;
}
