import type { RechargeTarget } from '@voltdeck/contract/payments';
import { addFen, type Fen, minFen, subtractFen } from '@voltdeck/units/money';

/** What a recharge and its gift would leave: money pays what is owed first, paid money before gifts. */
export function balanceAfter(
  { balanceFen, paidFen, owedFen }: Pick<RechargeTarget, 'balanceFen' | 'paidFen' | 'owedFen'>,
  amountFen: Fen,
  giftFen: Fen,
): { repaidFen: Fen; afterFen: Fen; paidAfterFen: Fen } {
  const freeFen = addFen(balanceFen, amountFen, giftFen);
  const repaidFen = minFen(owedFen, freeFen);
  const freePaidFen = addFen(paidFen, amountFen);
  return {
    repaidFen,
    afterFen: subtractFen(freeFen, repaidFen),
    paidAfterFen: subtractFen(freePaidFen, minFen(repaidFen, freePaidFen)),
  };
}
