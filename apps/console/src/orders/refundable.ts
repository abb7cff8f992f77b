import type { Order } from '@voltdeck/contract/orders';

/** What can still be refunded: owed plus paid, less earlier refunds. */
export function refundableFen(order: Pick<Order, 'owedFen' | 'paidFen' | 'refundedFen'>): number {
  return Math.max(0, order.owedFen + order.paidFen - order.refundedFen);
}
