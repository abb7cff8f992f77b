import { canAcceptOrder } from '@voltdeck/charging/abilities';
import type { acceptOrder as route, acceptOrders as routeOfMany } from '@voltdeck/contract/abnormal-orders';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit, auditMany } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { isInScope } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { chargeOf, lockOrder, lockOrders, type OrderRow } from '../order-row.ts';
import { storedProposal } from '../queries.ts';
import { settleOrder } from '../settle-order.ts';
import { changeOrder } from '../write-order.ts';
import { handleFlags } from './handle-flags.ts';

type Body = BodyOf<typeof route>;

/**
 * Accepts a flagged order as it is. The bill of one that has ended stays; one that waits for a person is settled with
 * exactly the figures that were proposed.
 */
export async function acceptOrder(
  trx: Trx,
  caller: Caller,
  orderId: OrderId,
  { reason }: Body,
  at: Instant,
): Promise<Result<OrderRow | Waits, ApiError>> {
  const known = await trx
    .selectFrom('orders')
    .select(['agent_id', 'proposal'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (known === undefined || !isInScope(caller, known.agent_id)) return failed({ code: 'record.not_found' });
  const order = await lockOrder(trx, orderId);
  const refusal = await refusalOf(trx, order);
  if (refusal !== null) return failed(refusal);
  if (order.state === 'settling') return settleAsProposed(trx, caller, order, reason, at);
  const accepted = await noteAcceptance(trx, caller, order, reason, at);
  await audit(trx, caller, at, auditOf(order, reason));
  return ok(accepted);
}

/** Accepts orders that have ended, all or none. None of them moves money. */
export async function acceptOrders(
  trx: Trx,
  caller: Caller,
  { ids, reason }: BodyOf<typeof routeOfMany>,
  at: Instant,
): Promise<Result<{ accepted: number }, ApiError>> {
  const wanted = [...new Set(ids)];
  const orders = await lockOrders(trx, wanted);
  if (orders.length < wanted.length || orders.some(({ agent_id }) => !isInScope(caller, agent_id))) {
    return failed({ code: 'record.not_found' });
  }
  for (const order of orders) {
    if (order.state === 'settling') return failed({ code: 'order.still_open' });
    const refusal = await refusalOf(trx, order);
    if (refusal !== null) return failed(refusal);
  }
  for (const order of orders) await noteAcceptance(trx, caller, order, reason, at);
  await auditMany(
    trx,
    caller,
    at,
    orders.map((order) => auditOf(order, reason)),
  );
  return ok({ accepted: orders.length });
}

async function refusalOf(trx: Trx, order: OrderRow): Promise<ApiError | null> {
  const { state, waitsFor } = chargeOf(order);
  const hasProposal = state === 'settling' && (await proposalOf(trx, order)) !== null;
  const ability = canAcceptOrder({ state, waitsFor, unhandled: order.unhandled, hasProposal });
  return ability.allowed ? null : { code: ability.because as ApiError['code'] };
}

async function proposalOf(trx: Trx, { id }: OrderRow) {
  const row = await trx.selectFrom('orders').select('proposal').where('id', '=', id).executeTakeFirstOrThrow();
  return storedProposal(row.proposal);
}

async function settleAsProposed(
  trx: Trx,
  caller: Caller,
  order: OrderRow,
  reason: string,
  at: Instant,
): Promise<Result<OrderRow | Waits, ApiError>> {
  const proposal = await proposalOf(trx, order);
  if (proposal === null) return failed({ code: 'order.no_proposal' });
  const { energyWh, endedAt } = proposal;
  return settleOrder(trx, caller, order.id, { energyWh, endedAt, reason }, at, 'accepted');
}

async function noteAcceptance(trx: Trx, caller: Caller, order: OrderRow, reason: string, at: Instant) {
  const facts = [{ event: 'accepted', params: { reason, userName: caller.userName } }] as const;
  const accepted = await changeOrder(trx, order, { facts, at });
  await handleFlags(trx, caller, [order.id], { how: 'accepted', reason, at });
  return { ...accepted, unhandled: false };
}

function auditOf(order: OrderRow, reason: string) {
  const { id, state, amount_fen: amountFen } = order;
  return {
    action: 'order.accept',
    recordKind: 'order',
    recordId: id,
    before: { unhandled: true },
    after: { unhandled: false, state, amountFen, reason },
  };
}
