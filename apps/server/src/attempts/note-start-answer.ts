import type { OrderId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';

/** Of the column: a clock that jumped shows in no figure. */
const answeredMsMax = 2_147_483_647;

/**
 * Notes that a station answered the command to begin an order's charge, after so long, and whether it agreed. The charge
 * never depends on it.
 */
export async function noteStartAnswer(
  { db, log }: { db: Kysely<Tables>; log: Logger },
  orderId: OrderId,
  { answeredMs, isAgreed }: { answeredMs: number; isAgreed: boolean },
): Promise<void> {
  try {
    await sql`
    update start_attempts
       set answered_ms = ${Math.min(Math.max(0, Math.round(answeredMs)), answeredMsMax)},
           step = case when ${isAgreed}::boolean and step in ('paid_for', 'commanded') then 'accepted' else step end
     where order_id = ${orderId}`.execute(db);
  } catch (error) {
    log.error({ err: error, order: orderId }, 'attempts: noting an answer failed');
  }
}
