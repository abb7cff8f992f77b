import { addFen, type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';

type Recharged = { amountFen: Fen; giftFen: Fen; refundedFen: Fen; giftLeftFen: Fen };

/** The gift that goes with a refund of `amountFen`, as the server reckons it: in proportion over all refunds. */
export function giftTakenBack(
  { amountFen: paidFen, giftFen, refundedFen, giftLeftFen }: Recharged,
  amountFen: Fen,
): Fen {
  if (amountFen > subtractFen(paidFen, refundedFen)) return giftLeftFen;
  const back = addFen(refundedFen, amountFen);
  const dueFen = paidFen > 0 ? fen(Math.round((giftFen * back) / paidFen)) : zeroFen;
  return subtractFen(dueFen, subtractFen(giftFen, giftLeftFen));
}
