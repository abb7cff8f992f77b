import type { Sentence } from '@voltdeck/charging/story/story-kinds';
import type { OrderDetail } from '@voltdeck/contract/orders';
import { paymentStory } from '@voltdeck/contract/payment-story';

type Posting = OrderDetail['postings'][number];
export type Moved = { at: string; reason: string; postings: Posting[] };

/** The transfers of an order. Its postings come in their order; those of one transfer have its time and reason. */
export function transfersOf(postings: readonly Posting[]): Moved[] {
  const transfers: Moved[] = [];
  for (const posting of postings) {
    const last = transfers.at(-1);
    if (last !== undefined && last.at === posting.at && last.reason === posting.reason) last.postings.push(posting);
    else transfers.push({ at: posting.at, reason: posting.reason, postings: [posting] });
  }
  return transfers;
}

/** A transfer of an order as one sentence. `payer` is the card or the name that it is told with. */
export function tellTransfer({ reason, postings }: Moved, payer: { cardNumber: string | null }): Sentence | null {
  const sums = paymentStory(postings);
  const sumFen = postings.reduce((sum, { amountFen }) => sum + amountFen, 0);
  switch (reason) {
    case 'hold':
      return { kind: 'held', params: { ...payer, amountFen: sumFen } };
    case 'hold_extended':
      return { kind: 'hold_extended', params: { amountFen: sumFen } };
    case 'hold_voided':
      return { kind: 'hold_released', params: { amountFen: sumFen } };
    case 'charge_settled': {
      const params = { amountFen: sums.postedFen + sums.takenDirectlyFen, releasedFen: sums.givenBackFen };
      return sums.shortfallFen > 0
        ? { kind: 'charged_owing', params: { ...params, owedFen: sums.shortfallFen } }
        : { kind: 'charged', params };
    }
    case 'order_shared':
      return { kind: 'shared', params: { amountFen: sumFen } };
    case 'debt_repaid':
      return { kind: 'debt_repaid', params: { amountFen: sumFen } };
    case 'debt_written_off':
      return { kind: 'written_off', params: { amountFen: sumFen } };
    // The refund itself tells who gave it and why.
    case 'refund_order':
      return null;
    default:
      return { kind: 'money_moved', params: { transferReason: reason, amountFen: sumFen } };
  }
}
