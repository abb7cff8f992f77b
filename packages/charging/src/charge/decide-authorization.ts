import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen, minFen } from '@voltdeck/units/money';
import type { Authorization, CardState, CustomerState } from '../states.ts';

export const moneyLimits = {
  /** A charge is not begun with less than this: the first minute would already overdraw it. */
  startBalanceMinFen: fen(100),
  /** What is held when a charge begins, and each time it has nearly used up what is held: 50 yuan, or what there is. */
  holdStepFen: fen(5_000),
} as const;

/** What is known of a card that is shown to a station. */
export type CardKnown = {
  state: CardState;
  customerState: CustomerState | null;
  expiresAt: Instant | null;
  /** A charge of it runs (or waits to begin, where that counts), beside those of the same parallel group. */
  isCharging: boolean;
  availableFen: Fen;
  /** Of earlier charges, more than the installation allows. */
  owesTooMuch: boolean;
};

/** Whether a card may charge now; null is a card that nobody registered. */
export function decideAuthorization(card: CardKnown | null, at: Instant): Authorization {
  if (card === null) return 'unknown';
  if (card.state !== 'active' || card.customerState === 'disabled') return 'blocked';
  if (card.expiresAt !== null && card.expiresAt <= at) return 'expired';
  if (card.isCharging) return 'already_charging';
  // To a station a debt is what an empty card is: money has to come first.
  if (card.owesTooMuch) return 'no_balance';
  return card.availableFen < moneyLimits.startBalanceMinFen ? 'no_balance' : 'accepted';
}

/** What a charge is told that its payer has: what it holds and its even share of what is free. Sums never exceed both. */
export function promisedFen(charge: { heldFen: Fen; freeFen: Fen; sharers: number }): Fen {
  return fen(charge.heldFen + Math.floor(charge.freeFen / Math.max(1, charge.sharers)));
}

/**
 * What one of two gun ports that charge together is told: no more than half of what both have, so that the other one
 * need not be told of less first, and no more than its share where that one holds more by now. `otherHeldFen` is null
 * while the other is not placed.
 */
export function promisedOfTwoFen(charge: { heldFen: Fen; freeFen: Fen; otherHeldFen: Fen | null }): Fen {
  const { heldFen, freeFen, otherHeldFen } = charge;
  const bothFen = heldFen + freeFen + (otherHeldFen ?? 0);
  if (otherHeldFen === null) return fen(Math.max(heldFen, Math.ceil(bothFen / 2)));
  const shareFen = promisedFen({ heldFen, freeFen, sharers: 2 });
  return minFen(shareFen, fen(Math.max(heldFen, Math.floor(bothFen / 2))));
}

/** What is held for a charge that begins and may spend so much. */
export function firstHoldFen(spendableFen: Fen): Fen {
  return minFen(moneyLimits.holdStepFen, spendableFen);
}
