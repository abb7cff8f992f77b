import type { PartnerChargeStage, PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { OrderId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import { transact } from '../../database/transact.ts';
import { stopOrder, stopPlaced } from '../../orders/stop-order.ts';
import type { Partner } from '../partner.ts';
import { findBySequence, stageOf } from '../partner-charge-status.ts';

/** A station that agreed to stop and did not is asked again after this, when the partner asks again. */
const askAgainMs = minuteMs;

/**
 * Asks the station to end a partner's own charge; its end is told as a notification. Whether a station that was asked
 * to start has begun, nobody knows until it says so: its order stays, with its hold, and the stop waits for it.
 */
export async function stopPartnerCharge(
  context: Context<'money'>,
  partner: Partner,
  { sequence, portId }: { sequence: string; portId: string },
): Promise<{ stage: PartnerChargeStage; refusal: PartnerRefusal | null }> {
  const charge = await findBySequence(context.database.db, partner.id, sequence);
  if (charge === null || charge.portId !== portId) return { stage: 'unknown', refusal: 'port_unknown' };
  const { orderId, state } = charge;
  if (orderId === null || stageOf(charge) === 'ended') return { stage: 'ended', refusal: 'already_stopped' };
  const stopping = { stage: 'stopping', refusal: null } as const;
  if (state === 'settling') return stopping;
  if (state === 'placed' && (await rememberStop(context, partner, orderId))) return stopping;
  // Asked again, a stop under way is the same stop.
  if (!(await takeStop(context, orderId))) return stopping;
  const asked = askStation(context, partner, orderId);
  asked.catch((error: unknown) => context.log.error({ err: error, sequence }, 'partner: stop failed'));
  return stopping;
}

/** Keeps a stop for the moment in which the station begins. False when it has begun or ended in the meantime. */
async function rememberStop({ database, now }: Context, { name }: Partner, orderId: OrderId): Promise<boolean> {
  const at = now();
  const remembered = await transact(database.db, async (trx) => {
    const isPlaced = await stopPlaced(trx, { orderId, name, at }, async () => {
      const { numUpdatedRows } = await trx
        .updateTable('partner_charges')
        .set({ stop_asked_at: at })
        .where('order_id', '=', orderId)
        .where('stop_asked_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
    return ok(isPlaced);
  });
  return remembered.ok && remembered.value;
}

/** Takes the stop of a charge upon the caller. False while another one is on its way. */
async function takeStop({ database, now }: Context, orderId: OrderId): Promise<boolean> {
  const at = now();
  const { numUpdatedRows } = await database.db
    .updateTable('partner_charges')
    .set({ stop_asked_at: at })
    .where('order_id', '=', orderId)
    .where((or) => or.or([or('stop_asked_at', 'is', null), or('stop_asked_at', '<=', instant(at - askAgainMs))]))
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
    if (!isAgreed) await forgetStop(context, orderId);
  }
}

async function forgetStop({ database }: Context, orderId: OrderId): Promise<void> {
  await database.db
    .updateTable('partner_charges')
    .set({ stop_asked_at: null })
    .where('order_id', '=', orderId)
    .execute();
}
