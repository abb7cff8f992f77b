import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { readParameter, wholeNumber } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';

/** The parameter for how many days after its end an order can be refunded: up to ten years. */
export const refundPeriod = wholeNumber({ key: 'refund_days', defaultValue: 180, min: 1, max: 3_650 });

/** Until when an order that ended then can be refunded. */
export async function readRefundableUntil(db: Kysely<Tables>, endedAt: Instant): Promise<Instant> {
  const days = await readParameter(db, refundPeriod);
  return instant(endedAt + days * dayMs);
}

/** The same in a statement over `orders`, which reads the parameter once; null before the order is completed. */
export const refundableUntil = sql.raw<Instant | null>(`case when orders.state = 'completed' then
  orders.ended_at + make_interval(days => coalesce((
    select case when configs.value ~ '^[0-9]{1,4}$' and configs.value::integer between 1 and 3650
                then configs.value::integer end
      from configs where configs.key = '${refundPeriod.key}'), ${refundPeriod.defaultValue})) end`);
