import type { FlagHandling } from '@voltdeck/charging/states';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';

/**
 * Notes that a person dealt with the flags of these orders that still waited. The orders must be locked, and their acts
 * written before: a flag raised by the act itself is handled with it.
 */
export async function handleFlags(
  trx: Trx,
  { userId }: Pick<Caller, 'userId'>,
  orderIds: readonly OrderId[],
  { how, reason, at }: { how: FlagHandling; reason: string; at: Instant },
): Promise<void> {
  await sql`
    with handled as (
      update order_flags set handled_at = to_timestamp(${at} / 1000.0), handled_by = ${userId}, handled_how = ${how},
             handled_reason = ${reason}
       where order_id = any(${[...orderIds]}::bigint[]) and handled_at is null returning 1)
    update orders set unhandled = false
     where id = any(${[...orderIds]}::bigint[]) and unhandled`.execute(trx);
}
