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
}): PaymentState {
  const { amountFen, paidFen, refundedFen, forgivenFen } = order;
  const givenBackFen = refundedFen + forgivenFen;
  const isOwed = paidFen + forgivenFen < amountFen;
  if (isOwed && refundedFen === 0) return paidFen === 0 ? 'unpaid' : 'partly_paid';
  if (givenBackFen === 0) return 'paid';
  return givenBackFen === amountFen ? 'refunded' : 'partly_refunded';
}
