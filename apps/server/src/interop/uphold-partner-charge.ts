import type { ApiError } from '@voltdeck/contract/errors';
import type { upholdPartnerCharge as route } from '@voltdeck/contract/roaming';
import type { BodyOf } from '@voltdeck/contract/route';
import type { PartnerChargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

/**
 * Ends a difference that the daily comparison found, in favour of our order, as both operators agreed. What is to be given
 * back is refunded with the order.
 */
export async function upholdPartnerCharge(
  trx: Trx,
  caller: Caller,
  id: PartnerChargeId,
  { reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PartnerChargeId, ApiError>> {
  const charge =
    caller.agents === 'all'
      ? await trx
          .selectFrom('partner_charges')
          .select(['dispute', 'order_id as orderId'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
      : undefined;
  if (charge === undefined) return failed({ code: 'record.not_found' });
  const { dispute, orderId } = charge;
  if (dispute === null || orderId === null) return failed({ code: 'roaming.no_dispute' });
  await trx.updateTable('partner_charges').set({ dispute: null, checked_at: at }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'roaming.uphold',
    recordKind: 'order',
    recordId: orderId,
    before: { dispute },
    after: { reason },
  });
  return ok(id);
}
