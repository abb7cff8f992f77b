import type { CustomerId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/**
 * How much of a registered user's money came by the embedded channel and has not left by it, cards included: play money,
 * which nobody may get paid out. What was spent since counts as real money, so that none of it leaves by mistake.
 */
export async function playMoneyOf(trx: Trx, customerId: CustomerId): Promise<Fen> {
  const { rows } = await sql<{ cameFen: number; leftFen: number }>`
    select (select coalesce(sum(amount_fen - refunded_fen), 0)::bigint from recharges
             where channel = 'embedded' and reversed_at is null
               and (customer_id = ${customerId} or card_id in (select id from cards where customer_id = ${customerId}))
           ) as "cameFen",
           (select coalesce(sum(amount_fen), 0)::bigint from withdrawals
             where customer_id = ${customerId} and way = 'embedded' and (frozen or state = 'withdrawn')) as "leftFen"`.execute(
    trx,
  );
  const [{ cameFen, leftFen } = { cameFen: 0, leftFen: 0 }] = rows;
  return fen(Math.max(0, cameFen - leftFen));
}
