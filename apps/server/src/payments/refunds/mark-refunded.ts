import type { RechargeId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import type { Trx } from '../../database/transact.ts';
import { markMovement } from '../movements/mark-movement.ts';

/** Writes what went back of a recharge, or is on its way back, and what that makes of its movement. */
export async function markRefunded(
  trx: Trx,
  {
    id,
    amountFen,
    refundedFen,
    refundedGiftFen,
  }: Record<'amountFen' | 'refundedFen' | 'refundedGiftFen', Fen> & {
    id: RechargeId;
  },
): Promise<void> {
  await trx
    .updateTable('recharges')
    .set({ refunded_fen: refundedFen, refunded_gift_fen: refundedGiftFen })
    .where('id', '=', id)
    .execute();
  await markMovement(trx, id, refundedFen === 0 ? 'done' : refundedFen < amountFen ? 'partly_refunded' : 'refunded');
}
