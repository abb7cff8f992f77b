import type { PaymentState } from '@voltdeck/charging/states';

/**
 * The payment state of a settled order's bill. Forgiven debt was refunded before it was paid, so it counts as given
 * back rather than paid.
 */
export function paymentStateOf(order: {
  /** The bill after its coupon. */
  amountFen: number;
  paidFen: number;
  refundedFen: number;
  forgivenFen: number;
  writtenOffFen?: number;
}): PaymentState {
  const { amountFen, paidFen, refundedFen, forgivenFen, writtenOffFen = 0 } = order;
  const givenBackFen = refundedFen + forgivenFen;
  const isOwed = paidFen + forgivenFen + writtenOffFen < amountFen;
  if (isOwed && refundedFen === 0) return paidFen === 0 ? 'unpaid' : 'partly_paid';
  if (givenBackFen === 0) return writtenOffFen > 0 ? 'written_off' : 'paid';
  return givenBackFen === amountFen ? 'refunded' : 'partly_refunded';
}
