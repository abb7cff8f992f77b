import { addFen, type Fen, fen, minFen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { giftAccount, heldAccount, heldGiftAccount, keyOf, type Wallet } from './account.ts';
import type { Share } from './posting.ts';

/** Money of a wallet, paid and gift apart; each zero or more. */
export type Parts = { paidFen: Fen; giftFen: Fen };

export const noParts: Parts = { paidFen: zeroFen, giftFen: zeroFen };

export function totalOf({ paidFen, giftFen }: Parts): Fen {
  return addFen(paidFen, giftFen);
}

export function addParts(a: Parts, b: Parts): Parts {
  return { paidFen: addFen(a.paidFen, b.paidFen), giftFen: addFen(a.giftFen, b.giftFen) };
}

/** @throws RangeError when a part would be below zero. */
export function subtractParts(from: Parts, parts: Parts): Parts {
  const left = { paidFen: subtractFen(from.paidFen, parts.paidFen), giftFen: subtractFen(from.giftFen, parts.giftFen) };
  if (left.paidFen < 0 || left.giftFen < 0) throw new RangeError('more is taken of a part than there is');
  return left;
}

/**
 * What `amountFen` takes of a wallet: paid money first, gifts last, so that gifts never outlive the money they came
 * with. At most what there is.
 */
export function takeFrom({ paidFen, giftFen }: Parts, amountFen: Fen): Parts {
  const fromPaidFen = minFen(paidFen, amountFen);
  return { paidFen: fromPaidFen, giftFen: minFen(giftFen, subtractFen(amountFen, fromPaidFen)) };
}

/**
 * The next `amountFen` that goes back of `given`, in the proportion of its parts over everything that went back, so
 * that many small amounts never return more of a part than was given. `back` is what went back before.
 * @throws RangeError when more would go back than was given.
 */
export function giveBack(given: Parts, back: Parts, amountFen: Fen): Parts {
  const left = subtractParts(given, back);
  if (amountFen > totalOf(left)) throw new RangeError('more goes back than was given');
  if (amountFen <= 0) return noParts;
  const backFen = addFen(totalOf(back), amountFen);
  const [, giftBackFen = zeroFen] = splitFen(backFen, [given.paidFen, given.giftFen]);
  // The proportion may have changed since the last time, by a repaid debt: then it is approached and never exceeded.
  const leastGiftFen = Math.max(0, amountFen - left.paidFen);
  const mostGiftFen = Math.min(amountFen, left.giftFen);
  const giftFen = fen(Math.min(mostGiftFen, Math.max(leastGiftFen, giftBackFen - back.giftFen)));
  return { paidFen: subtractFen(amountFen, giftFen), giftFen };
}

/** An amount of which a part is gifts. */
export function partsOf(totalFen: Fen, giftFen: Fen): Parts {
  return { paidFen: subtractFen(totalFen, giftFen), giftFen };
}

/** The shares of a flow that move free money of a wallet. */
export function freeShares(wallet: Wallet, { paidFen, giftFen }: Parts): Share[] {
  return [
    { account: keyOf(wallet), amountFen: paidFen },
    { account: keyOf(giftAccount(wallet)), amountFen: giftFen },
  ];
}

/** The shares of a flow that move held money of a wallet. */
export function heldShares(wallet: Wallet, { paidFen, giftFen }: Parts): Share[] {
  return [
    { account: keyOf(heldAccount(wallet)), amountFen: paidFen },
    { account: keyOf(heldGiftAccount(wallet)), amountFen: giftFen },
  ];
}
