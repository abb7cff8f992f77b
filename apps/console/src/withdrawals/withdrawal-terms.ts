import type { AnswerOf } from '@voltdeck/contract/route';
import type { getWithdrawalTerms } from '@voltdeck/contract/withdrawals';
import { type Fen, fen, minFen } from '@voltdeck/units/money';

export type Terms = AnswerOf<typeof getWithdrawalTerms>;

/** What an application of `amountFen` would cost, as the server reckons it. */
export function termsOf(
  { paidFen, giftFen, feeBp, takesGifts }: Pick<Terms, 'paidFen' | 'giftFen' | 'feeBp' | 'takesGifts'>,
  amountFen: Fen,
): { giftFen: Fen; feeFen: Fen } {
  const part = takesGifts && paidFen > 0 ? Math.round((giftFen * minFen(amountFen, paidFen)) / paidFen) : 0;
  return { giftFen: fen(part), feeFen: minFen(amountFen, fen(Math.round((amountFen * feeBp) / 10_000))) };
}
