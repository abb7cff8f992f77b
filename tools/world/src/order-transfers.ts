import { extendHoldTransfer, holdTransfer, voidHoldTransfer } from '@voltdeck/ledger/hold';
import { noParts, type Parts, totalOf } from '@voltdeck/ledger/parts';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import { type Refund, refundOrderTransfer } from '@voltdeck/ledger/refund';
import { settleTransfer } from '@voltdeck/ledger/settle';
import type { Transfer } from '@voltdeck/ledger/transfer';
import { soundTransfer } from '@voltdeck/server/orders/hold-money';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type Fen, fen, zeroFen } from '@voltdeck/units/money';
import type { PlannedCharge, PlannedOrder, PlannedRecharge } from './planned-order.ts';

/** A transfer with its id and time in the books. */
export type BookedTransfer = { id: number; at: Instant; transfer: Transfer };

export function transferOfRecharge(recharge: PlannedRecharge): BookedTransfer {
  const { id, transferId, at, purse, channel, amountFen } = recharge;
  return {
    id: transferId,
    at,
    transfer: soundTransfer(rechargeTransfer({ id, channel, wallet: purse.wallet, amountFen })),
  };
}

/** Every transfer of an order, in order of time, made by the builders of the running product. */
export function transfersOfOrder(order: PlannedOrder): BookedTransfer[] {
  const { id: orderId, purse, holds, connector } = order;
  if (purse === null) return [];
  const { wallet } = purse;
  const booked: BookedTransfer[] = [];
  const book = (at: Instant, transfer: Transfer) => {
    booked.push({ id: order.firstTransferId + booked.length, at, transfer });
  };
  for (const [index, { at, amountFen }] of holds.entries()) {
    const hold = { orderId, wallet, held: paidParts(amountFen) };
    book(at, soundTransfer(index === 0 ? holdTransfer(hold) : extendHoldTransfer({ ...hold, number: index + 1 })));
  }
  const heldFen = fen(holds.reduce((sum, hold) => sum + hold.amountFen, 0));
  if (order.kind === 'cancelled') {
    book(order.cancelledAt, soundTransfer(voidHoldTransfer({ orderId, wallet, held: paidParts(heldFen) })));
  }
  if (order.kind === 'charge') {
    const siteId = connector.station.site.id;
    const { electricityFeeFen, serviceFeeFen, settledAt, refund } = order;
    const availableFen = fen((order.balanceBeforeFen ?? 0) - heldFen);
    const settled = settleTransfer({
      orderId,
      siteId,
      wallet,
      held: paidParts(heldFen),
      available: paidParts(availableFen),
      electricityFeeFen,
      serviceFeeFen,
    });
    if (!settled.ok || totalOf(settled.value.paid) !== order.paidFen) {
      throw new Error(`order ${order.sequence} of the world was planned with other money`);
    }
    if (settled.value.transfer !== null) book(settledAt, settled.value.transfer);
    if (refund !== null) {
      const made = refundOfCharge(order);
      if (made !== null) book(instant(refund.at), made.transfer);
    }
  }
  return booked;
}

/** The world's people have no gifts. */
function paidParts(paidFen: Fen): Parts {
  return { paidFen, giftFen: zeroFen };
}

/** The one refund of a charge of the world; null if there is none. */
export function refundOfCharge(order: PlannedCharge): Refund | null {
  const { id: orderId, purse, refund, connector, electricityFeeFen, serviceFeeFen } = order;
  if (purse === null || refund === null) return null;
  const made = refundOrderTransfer({
    orderId,
    number: 1,
    siteId: connector.station.site.id,
    wallet: purse.wallet,
    amountFen: refund.amountFen,
    electricityFeeFen,
    serviceFeeFen,
    paid: paidParts(order.paidFen),
    refunded: noParts,
    forgivenFen: zeroFen,
    owedFen: zeroFen,
  });
  if (!made.ok) throw new Error(`order ${order.sequence} of the world cannot be refunded: ${made.error.code}`);
  return made.value;
}
