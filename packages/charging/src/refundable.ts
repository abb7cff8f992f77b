/** What can still be refunded, in fen: owed plus paid, less earlier refunds. */
export function refundableFen(order: { owedFen: number; paidFen: number; refundedFen: number }): number {
  return Math.max(0, order.owedFen + order.paidFen - order.refundedFen);
}
