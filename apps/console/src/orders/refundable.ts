import type { Order } from '@voltdeck/contract/orders';

/** What can still be given back: what was paid, less what went back before. */
export function refundableFen(order: Pick<Order, 'paidFen' | 'refundedFen'>): number {
  return Math.max(0, order.paidFen - order.refundedFen);
}
