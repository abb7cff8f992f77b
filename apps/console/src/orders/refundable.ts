import type { Order } from '@voltdeck/contract/orders';

/** What can still be given back: what is owed and what was paid, less what went back before. */
export function refundableFen(order: Pick<Order, 'owedFen' | 'paidFen' | 'refundedFen'>): number {
  return Math.max(0, order.owedFen + order.paidFen - order.refundedFen);
}
