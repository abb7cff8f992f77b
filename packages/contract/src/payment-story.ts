export type PostingView = { reason: string; from: string; to: string; amountFen: number };

/**
 * How an order was paid, from its ledger postings. All in fen, zero or more: held from the wallet, taken to income from
 * the hold, returned to the wallet from the hold, taken from the wallet directly, owed (income booked against a
 * receivable), of that repaid later, forgiven by a refund, or repaid and taken back with the reversed recharge, and
 * refunded to the wallet.
 */
export type PaymentStory = {
  heldFen: number;
  postedFen: number;
  givenBackFen: number;
  takenDirectlyFen: number;
  shortfallFen: number;
  repaidFen: number;
  undoneFen: number;
  forgivenFen: number;
  refundedFen: number;
};

type Side = 'wallet' | 'held' | 'income' | 'receivable' | 'elsewhere';

const wallets = ['card', 'customer', 'group', 'member', 'partner'];

const sides: readonly (readonly [prefix: string, side: Side])[] = [
  ...wallets.flatMap((wallet): [string, Side][] => [
    [`${wallet}-held`, 'held'],
    [`${wallet}-gift-held`, 'held'],
    [wallet, 'wallet'],
    [`${wallet}-gift`, 'wallet'],
  ]),
  ['electricity-income', 'income'],
  ['service-income', 'income'],
  ['receivable', 'receivable'],
];

export function sideOf(account: string): Side {
  const kind = account.split(':')[0] ?? '';
  return sides.find(([prefix]) => prefix === kind)?.[1] ?? 'elsewhere';
}

export function paymentStory(postings: readonly PostingView[]): PaymentStory {
  const story: PaymentStory = {
    heldFen: 0,
    postedFen: 0,
    givenBackFen: 0,
    takenDirectlyFen: 0,
    shortfallFen: 0,
    repaidFen: 0,
    undoneFen: 0,
    forgivenFen: 0,
    refundedFen: 0,
  };
  for (const { from, to, amountFen } of postings) {
    switch (`${sideOf(from)}>${sideOf(to)}`) {
      case 'wallet>held':
        story.heldFen += amountFen;
        break;
      case 'held>income':
        story.postedFen += amountFen;
        break;
      case 'held>wallet':
        story.givenBackFen += amountFen;
        break;
      case 'wallet>income':
        story.takenDirectlyFen += amountFen;
        break;
      case 'receivable>income':
        story.shortfallFen += amountFen;
        break;
      case 'wallet>receivable':
        story.repaidFen += amountFen;
        break;
      case 'receivable>wallet':
        story.undoneFen += amountFen;
        break;
      case 'income>receivable':
        story.forgivenFen += amountFen;
        break;
      case 'income>wallet':
        story.refundedFen += amountFen;
        break;
    }
  }
  return story;
}
