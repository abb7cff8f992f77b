import type { OrderId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/**
 * Notes that a station answered the command to begin an order's charge, after so long, and whether it agreed. The charge
 * never depends on it.
 */
export async function noteStartAnswer(
  { database, log }: Pick<Context, 'database' | 'log'>,
  orderId: OrderId,
  { answeredMs, isAgreed }: { answeredMs: number; isAgreed: boolean },
): Promise<void> {
  try {
    await sql`
    update start_attempts
       set answered_ms = ${Math.max(0, Math.round(answeredMs))},
           step = case when ${isAgreed}::boolean and step in ('paid_for', 'commanded') then 'accepted' else step end
     where order_id = ${orderId}`.execute(database.db);
  } catch (error) {
    log.error({ err: error, order: orderId }, 'attempts: noting an answer failed');
  }
}
