import type { OrderDetail } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';

type Paid = Pick<
  OrderDetail,
  'paymentState' | 'paidFen' | 'owedFen' | 'amountFen' | 'discountFen' | 'refundedFen' | 'refunds' | 'writtenOffFen'
>;

/** What was paid, owed, refunded and forgiven for an order, in one sentence. */
export function paidStoryOf(order: Paid): string {
  switch (order.paymentState) {
    case 'paid':
      return phrase('orders.storyPaid', { paid: moneyText(order.paidFen) });
    case 'unpaid':
    case 'partly_paid':
      // An order without a known payer has no debtor, so it shows the missing amount instead.
      return order.owedFen > 0
        ? phrase('orders.storyOwedByPayer', { paid: moneyText(order.paidFen), owed: moneyText(order.owedFen) })
        : phrase('orders.storyOwed', {
            paid: moneyText(order.paidFen),
            owed: moneyText(order.amountFen - order.discountFen - order.paidFen),
          });
    case 'written_off':
      return phrase('orders.storyWrittenOff', {
        paid: moneyText(order.paidFen),
        writtenOff: moneyText(order.writtenOffFen),
      });
    case 'refunded':
    case 'partly_refunded':
      return refundStoryOf(order);
  }
}

/** A refund returns what was paid and forgives what is owed. */
function refundStoryOf({ paidFen, refundedFen, refunds }: Paid): string {
  const [paid, refunded] = [moneyText(paidFen), moneyText(refundedFen)];
  const forgivenFen = refunds.reduce((sum, refund) => sum + refund.forgivenFen, 0);
  if (forgivenFen === 0) return phrase('orders.storyRefunded', { paid, refunded });
  const forgiven = moneyText(forgivenFen);
  return refundedFen === 0
    ? phrase('orders.storyForgiven', { paid, forgiven })
    : phrase('orders.storyRefundedForgiven', { paid, refunded, forgiven });
}
