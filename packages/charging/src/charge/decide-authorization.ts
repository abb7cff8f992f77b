import type { Watts } from '@voltdeck/units/energy';
import { hourMs, type Instant, minuteMs } from '@voltdeck/units/instant';
import { type Fen, fen, minFen } from '@voltdeck/units/money';
import type { Authorization, CardState, CustomerState } from '../states.ts';

export const moneyLimits = {
  /** The least money to begin a charge with, since less would be overdrawn within the first minute. */
  startBalanceMinFen: fen(100),
  /** The hold at the start of a charge, and each extension when it is nearly used up: 50 yuan, or what there is. */
  holdStepFen: fen(5_000),
  /**
   * What a free charge is promised. A station that prices by itself counts a balance down by its own prices, and must
   * not end a free charge before the vehicle is full.
   */
  freePromiseFen: fen(50_000),
  /** The least that a test run is promised, since stations refuse to begin with less. */
  testPromiseMinFen: fen(1_000),
  /** Per kWh, for the promise of a test run: above any price that is charged. */
  testPriceFen: fen(500),
} as const;

/** What is known of a card shown to a station. */
export type CardKnown = {
  state: CardState;
  customerState: CustomerState | null;
  expiresAt: Instant | null;
  /** It has a running charge (or, where that counts, an order that has not begun) outside the same parallel group. */
  isCharging: boolean;
  availableFen: Fen;
  /** Its debt from earlier charges exceeds the limit. */
  owesTooMuch: boolean;
};

/** Whether a card may charge now; null is an unregistered card. */
export function decideAuthorization(card: CardKnown | null, at: Instant): Authorization {
  if (card === null) return 'unknown';
  if (card.state !== 'active' || (card.customerState ?? 'normal') !== 'normal') return 'blocked';
  if (card.expiresAt !== null && card.expiresAt <= at) return 'expired';
  if (card.isCharging) return 'already_charging';
  // Stations know no debt, so it is reported like an empty card: money has to come first.
  if (card.owesTooMuch) return 'no_balance';
  return card.availableFen < moneyLimits.startBalanceMinFen ? 'no_balance' : 'accepted';
}

/** A free charge needs no money, so a card without any, or with debts, may begin one. */
export function authorizationAt({ isFree }: { isFree: boolean }, authorization: Authorization): Authorization {
  return isFree && authorization === 'no_balance' ? 'accepted' : authorization;
}

/** Energy that cannot be priced must not flow, and a disabled station or closed site begins nothing. */
export function authorizationToBegin(
  { isEnabled, isPriced }: { isEnabled: boolean; isPriced: boolean },
  authorization: Authorization,
): Authorization {
  if (authorization !== 'accepted') return authorization;
  return isEnabled && isPriced ? 'accepted' : 'blocked';
}

/** What a rider pays before a charge: at a fixed price the price itself, otherwise the most that the charge may cost. */
export type PaidBefore = { amountFen: Fen; isFixed: boolean };

/** A charge that is paid before needs all of what is paid; null where the use alone decides. */
export function authorizationToPay(
  paidBefore: PaidBefore | null,
  payer: { authorization: Authorization; availableFen: Fen },
): Authorization {
  const { authorization, availableFen } = payer;
  const isTooLittle = paidBefore !== null && availableFen < paidBefore.amountFen;
  return authorization === 'accepted' && isTooLittle ? 'no_balance' : authorization;
}

/**
 * The balance to report for a charge that is paid before. A station that prices by itself must not end one at a fixed
 * price by its own sum.
 */
export function promisedToPaid(paidBefore: PaidBefore | null, promised: Fen): Fen {
  if (paidBefore === null) return promised;
  return paidBefore.isFixed ? moneyLimits.freePromiseFen : minFen(promised, paidBefore.amountFen);
}

/**
 * The balance to report for a charge: its hold and its even share of what is free. The sum over charges never exceeds
 * both.
 */
export function promisedFen(charge: { heldFen: Fen; freeFen: Fen; sharers: number }): Fen {
  return fen(charge.heldFen + Math.floor(charge.freeFen / Math.max(1, charge.sharers)));
}

/**
 * The balance to report for one of two gun ports that charge together: no more than half of what both have, so that the
 * other one needs no reduction first, and no more than its share once the other holds more. `otherHeldFen` is null
 * while the other is not placed.
 */
export function promisedOfTwoFen(charge: { heldFen: Fen; freeFen: Fen; otherHeldFen: Fen | null }): Fen {
  const { heldFen, freeFen, otherHeldFen } = charge;
  const bothFen = heldFen + freeFen + (otherHeldFen ?? 0);
  if (otherHeldFen === null) return fen(Math.max(heldFen, Math.ceil(bothFen / 2)));
  const shareFen = promisedFen({ heldFen, freeFen, sharers: 2 });
  return minFen(shareFen, fen(Math.max(heldFen, Math.floor(bothFen / 2))));
}

/**
 * What a test run of a gun port is promised at a station that stops by itself when a balance is used up: what the gun
 * port could deliver in `minutes` at its rated power. So it ends even where we can no longer reach it.
 */
export function testPromiseFen(test: { ratedPowerW: Watts; minutes: number }): Fen {
  const deliverableKwh = (test.ratedPowerW * test.minutes * minuteMs) / hourMs / 1_000;
  const promised = Math.max(Math.ceil(deliverableKwh * moneyLimits.testPriceFen), moneyLimits.testPromiseMinFen);
  return minFen(fen(promised), moneyLimits.freePromiseFen);
}

/** The hold for a charge that begins, given what may be spent. */
export function firstHoldFen(spendableFen: Fen): Fen {
  return minFen(moneyLimits.holdStepFen, spendableFen);
}
