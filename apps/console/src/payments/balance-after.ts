import type { RechargeTarget } from '@voltdeck/contract/payments';
import { addFen, type Fen, minFen, subtractFen } from '@voltdeck/units/money';

/** What a recharge would leave: money pays what is owed first, and the rest can be spent. */
export function balanceAfter(
  { balanceFen, owedFen }: Pick<RechargeTarget, 'balanceFen' | 'owedFen'>,
  amountFen: Fen,
): { repaidFen: Fen; afterFen: Fen } {
  const freeFen = addFen(balanceFen, amountFen);
  const repaidFen = minFen(owedFen, freeFen);
  return { repaidFen, afterFen: subtractFen(freeFen, repaidFen) };
}
