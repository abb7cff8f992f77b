import type { PartnerChargeStage, PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { Context } from '../../context.ts';
import { cancelPlaced } from '../../orders/cancel-order.ts';
import { stopOrder } from '../../orders/stop-order.ts';
import type { Partner } from '../partner.ts';
import { findBySequence, stageOf } from '../partner-charge-status.ts';

/** Asks the station to end a partner's own charge; its end is told as a notification. */
export async function stopPartnerCharge(
  context: Context<'money'>,
  partner: Partner,
  { sequence, portId }: { sequence: string; portId: string },
): Promise<{ stage: PartnerChargeStage; refusal: PartnerRefusal | null }> {
  const { db } = context.database;
  const charge = await findBySequence(db, partner.id, sequence);
  if (charge === null || charge.portId !== portId) return { stage: 'unknown', refusal: 'port_unknown' };
  const stage = stageOf(charge);
  if (charge.orderId === null || stage === 'ended') return { stage: 'ended', refusal: 'already_stopped' };
  if (stage === 'starting') {
    const given = { event: 'cancelled', params: { userName: partner.name } } as const;
    if (await cancelPlaced(context, charge.orderId, given)) return { stage: 'ended', refusal: null };
  }
  // Asked again, a stop under way is the same stop.
  if (stage === 'stopping' && charge.state === 'settling') return { stage, refusal: null };
  await db
    .updateTable('partner_charges')
    .set({ stop_asked_at: context.now() })
    .where('order_id', '=', charge.orderId)
    .where('stop_asked_at', 'is', null)
    .execute();
  const caller = { agents: 'all', customerId: null, userId: null, remoteAddress: '' } as const;
  const asked = stopOrder(context, caller, partner.name, charge.orderId);
  asked.catch((error: unknown) => context.log.error({ err: error, sequence }, 'partner: stop failed'));
  return { stage: 'stopping', refusal: null };
}
