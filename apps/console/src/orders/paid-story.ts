import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';

type Paid = Pick<OrderDetail, 'paymentState' | 'paidFen' | 'owedFen' | 'amountFen' | 'refundedFen' | 'refunds'>;

/** What was paid of an order, owed, refunded and forgiven, in one sentence. */
export function paidStoryOf(order: Paid): string {
  switch (order.paymentState) {
    case 'paid':
      return phrase('orders.storyPaid', { paid: moneyText(order.paidFen) });
    case 'unpaid':
    case 'partly_paid':
      return phrase('orders.storyOwed', {
        paid: moneyText(order.paidFen),
        // Of an order whose payer nobody knows, nobody owes it: what is missing is told instead.
        owed: moneyText(order.owedFen > 0 ? order.owedFen : order.amountFen - order.paidFen),
      });
    case 'refunded':
    case 'partly_refunded':
      return refundStoryOf(order);
  }
}

/** A refund gives back what was paid and forgives what is owed. */
function refundStoryOf({ paidFen, refundedFen, refunds }: Paid): string {
  const [paid, refunded] = [moneyText(paidFen), moneyText(refundedFen)];
  const forgivenFen = refunds.reduce((sum, refund) => sum + refund.forgivenFen, 0);
  if (forgivenFen === 0) return phrase('orders.storyRefunded', { paid, refunded });
  const forgiven = moneyText(forgivenFen);
  return refundedFen === 0
    ? phrase('orders.storyForgiven', { paid, forgiven })
    : phrase('orders.storyRefundedForgiven', { paid, refunded, forgiven });
}
