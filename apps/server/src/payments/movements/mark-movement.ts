import type { MovementState } from '@voltdeck/charging/states';
import type { RechargeId } from '@voltdeck/units/id';
import type { Trx } from '../../database/transact.ts';

/** Notes on the movement that a recharge made what became of it. */
export async function markMovement(trx: Trx, rechargeId: RechargeId, state: MovementState): Promise<void> {
  await trx
    .updateTable('movements')
    .set({ state })
    .where('recharge_id', '=', rechargeId)
    .where('type', 'in', ['recharge', 'system_recharge'])
    .execute();
}
