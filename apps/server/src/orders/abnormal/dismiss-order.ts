import { canDismissOrder } from '@voltdeck/charging/abilities';
import { hasPayer } from '@voltdeck/charging/charge/charge';
import type { dismissOrder as route } from '@voltdeck/contract/abnormal-orders';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { isInScope } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import type { TimelineFact } from '../order-record.ts';
import { chargeOf, lockOrder, type OrderRow } from '../order-row.ts';
import { changeOrder, nothingBilled, releasedHold, releaseHold } from '../write-order.ts';
import { handleFlags } from './handle-flags.ts';

/** A person decides that nobody pays for a charge: it is cancelled, and its hold goes back. */
export async function dismissOrder(
  trx: Trx,
  caller: Caller,
  orderId: OrderId,
  { reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<OrderRow, ApiError>> {
  const known = await trx.selectFrom('orders').select('agent_id').where('id', '=', orderId).executeTakeFirst();
  if (known === undefined || !isInScope(caller, known.agent_id)) return failed({ code: 'record.not_found' });
  const order = await lockOrder(trx, orderId);
  const charge = chargeOf(order);
  const ability = canDismissOrder({ ...charge, hasPayer: hasPayer(charge) });
  if (!ability.allowed) return failed({ code: ability.because as ApiError['code'] });
  const facts = [{ event: 'dismissed', params: { reason, userName: caller.userName } }] as const;
  const dismissed = await closeUncharged(trx, order, { facts, at });
  await handleFlags(trx, caller, [orderId], { how: 'dismissed', reason, at });
  await audit(trx, caller, at, {
    action: 'order.dismiss',
    recordKind: 'order',
    recordId: orderId,
    before: { state: order.state, energyWh: order.energy_wh, heldFen: order.held_fen },
    after: { state: dismissed.state, reason },
  });
  return ok({ ...dismissed, unhandled: false });
}

/**
 * Closes an order that waits for a person without a bill. It keeps the names that its stop had, by which a repetition
 * of that stop is recognised.
 */
export async function closeUncharged(
  trx: Trx,
  order: OrderRow,
  { facts, at }: { facts: readonly TimelineFact[]; at: Instant },
): Promise<OrderRow> {
  await releaseHold(trx, order, at);
  return changeOrder(trx, order, {
    set: { ...nothingBilled, ...releasedHold, state: 'cancelled', waits_for: null, power_w: null, settled_at: at },
    facts: [...facts, { event: 'cancelled' }],
    at,
  });
}
