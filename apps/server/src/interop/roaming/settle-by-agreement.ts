import { canSettleRoaming } from '@voltdeck/charging/roaming-charge';
import type { ApiError } from '@voltdeck/contract/errors';
import type { settleRoamingCharge as route } from '@voltdeck/contract/roaming';
import type { BodyOf } from '@voltdeck/contract/route';
import type { RoamingChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { cancelRoaming, isOpenRoaming, isRunningRoaming, writeRoaming } from './change-roaming.ts';
import { byId, lockRoaming } from './roaming-row.ts';
import { settleRoaming } from './settle-roaming.ts';

/**
 * A person closes a charge whose bill never came or cannot be believed, with the figures that both operators agreed on.
 * One that used nothing is closed without a bill, and its hold goes back.
 */
export async function settleByAgreement(
  trx: Trx,
  caller: Caller,
  id: RoamingChargeId,
  { reason, ...figures }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<RoamingChargeId, ApiError>> {
  const charge = caller.agents === 'all' ? await lockRoaming(trx, byId(id)) : null;
  if (charge === null) return failed({ code: 'record.not_found' });
  if (!isOpenRoaming(charge)) return failed({ code: 'roaming.not_open' });
  if (!canSettleRoaming(charge, at)) return failed({ code: 'roaming.still_running' });
  const { state, energyWh, electricityFeeFen, serviceFeeFen } = charge;
  const isNothing = figures.energyWh === 0 && figures.electricityFeeFen === 0 && figures.serviceFeeFen === 0;
  if (isNothing) {
    await cancelRoaming(trx, charge, 'by_hand', at);
    await writeRoaming(trx, charge, {
      user_id: caller.userId,
      reason,
      electricity_fee_fen: 0,
      service_fee_fen: 0,
      amount_fen: 0,
      energy_wh: 0,
    } as never);
  } else {
    await settleRoaming(trx, charge, figures, at, { userId: caller.userId, reason });
    if (isRunningRoaming(charge)) await writeRoaming(trx, charge, { ended_at: at });
  }
  await audit(trx, caller, at, {
    action: 'roaming.settle',
    recordKind: 'roaming_charge',
    recordId: id,
    before: { state, energyWh, electricityFeeFen, serviceFeeFen },
    after: { ...figures, reason },
  });
  return ok(id);
}
