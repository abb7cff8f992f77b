import type { OrderId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Notes that a station answered the command to begin an order's charge, after so long, and whether it agreed. */
export async function noteStartAnswer(
  db: Kysely<Tables>,
  orderId: OrderId,
  { answeredMs, isAgreed }: { answeredMs: number; isAgreed: boolean },
): Promise<void> {
  await sql`
    update start_attempts
       set answered_ms = ${Math.max(0, Math.round(answeredMs))},
           step = case when ${isAgreed}::boolean and step in ('paid_for', 'commanded') then 'accepted' else step end
     where order_id = ${orderId}`.execute(db);
}
