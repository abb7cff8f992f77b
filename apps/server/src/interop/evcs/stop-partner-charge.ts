import type { PartnerChargeStage, PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import { cancelPlaced } from '../../orders/cancel-order.ts';
import { stopOrder } from '../../orders/stop-order.ts';
import type { Partner } from '../partner.ts';
import { findBySequence, stageOf } from '../partner-charge-status.ts';

/** A station that agreed to stop and did not is asked again after this, when the partner asks again. */
const askAgainMs = minuteMs;

/** Asks the station to end a partner's own charge; its end is told as a notification. */
export async function stopPartnerCharge(
  context: Context<'money'>,
  partner: Partner,
  { sequence, portId }: { sequence: string; portId: string },
): Promise<{ stage: PartnerChargeStage; refusal: PartnerRefusal | null }> {
  const charge = await findBySequence(context.database.db, partner.id, sequence);
  if (charge === null || charge.portId !== portId) return { stage: 'unknown', refusal: 'port_unknown' };
  const stage = stageOf(charge);
  if (charge.orderId === null || stage === 'ended') return { stage: 'ended', refusal: 'already_stopped' };
  if (stage === 'starting') {
    const given = { event: 'cancelled', params: { userName: partner.name } } as const;
    if (await cancelPlaced(context, charge.orderId, given)) return { stage: 'ended', refusal: null };
  }
  // Asked again, a stop under way is the same stop.
  if (stage === 'stopping' && charge.state === 'settling') return { stage, refusal: null };
  const stopping = { stage: 'stopping', refusal: null } as const;
  if (!(await takeStop(context, charge.orderId))) return stopping;
  const asked = askStation(context, partner, charge.orderId);
  asked.catch((error: unknown) => context.log.error({ err: error, sequence }, 'partner: stop failed'));
  return stopping;
}

/** Takes the stop of a charge upon the caller. False while another one is on its way. */
async function takeStop({ database, now }: Context, orderId: OrderId): Promise<boolean> {
  const at = now();
  const { numUpdatedRows } = await database.db
    .updateTable('partner_charges')
    .set({ stop_asked_at: at })
    .where('order_id', '=', orderId)
    .where((eb) => eb.or([eb('stop_asked_at', 'is', null), eb('stop_asked_at', '<=', instant(at - askAgainMs))]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A stop that the station refused or did not answer is none: the partner may ask again at once. */
async function askStation(context: Context<'money'>, { name }: Partner, orderId: OrderId): Promise<void> {
  const caller = { agents: 'all', customerId: null, userId: null, remoteAddress: '' } as const;
  let isAgreed = false;
  try {
    const asked = await stopOrder(context, caller, name, orderId);
    isAgreed = asked.ok && asked.value.agreed;
  } finally {
    if (!isAgreed) {
      const forgotten = context.database.db.updateTable('partner_charges').set({ stop_asked_at: null });
      await forgotten.where('order_id', '=', orderId).execute();
    }
  }
}
