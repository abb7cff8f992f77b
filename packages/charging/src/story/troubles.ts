/** What went wrong, from the bare facts: each function decides one sentence, or none. */
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { moneyLimits } from '../charge/decide-authorization.ts';
import type { Authorization, CardState, CustomerState, ReadingDoubt } from '../states.ts';
import type { AskedOutcome } from '../told-exchange.ts';
import type { Sentence } from './story-kinds.ts';

export const troubleLimits = {
  /** A station that says nothing for longer is silent, unless it always speaks that rarely. */
  silenceMs: 30 * secondMs,
  /** So many of its usual pauses in a row are a silence. */
  usualPauses: 3,
  /** A charge without energy for longer after its start is one that does not charge. */
  energyMs: 2 * minuteMs,
  /** The end of a charge is told within it, or late. */
  billMs: minuteMs,
  /** Held money that is not needed is free again within it, or late. */
  holdMs: 10 * minuteMs,
  /** Readings come at least so often, or at their usual pace. */
  readingsMs: 5 * minuteMs,
  /** Energy on the bill beyond the last reading: the greater of both is tolerated. */
  unreadWh: 500,
  unreadShare: 0.05,
} as const;

/** A pause between two frames or readings, in ms since 1970. */
export type Pause = { fromMs: number; toMs: number };

/** Whether a pause is longer than what is usual here. `usualMs` is the median pause; null where there are too few. */
export function isLongPause({ fromMs, toMs }: Pause, usualMs: number | null, leastMs: number): boolean {
  return toMs - fromMs > Math.max(leastMs, troubleLimits.usualPauses * (usualMs ?? 0));
}

/** The silences of a station within a stretch of time, cut to it. */
export function silencesWithin(pauses: readonly Pause[], usualMs: number | null, within: Pause): Pause[] {
  return pauses.flatMap((pause) => {
    const cut = { fromMs: Math.max(pause.fromMs, within.fromMs), toMs: Math.min(pause.toMs, within.toMs) };
    return isLongPause(cut, usualMs, troubleLimits.silenceMs) ? [cut] : [];
  });
}

/** What is known of the card that was refused; null for one that nobody registered. */
export type ShownCard = {
  state: CardState;
  customerState: CustomerState | null;
  isExpired: boolean;
  isCharging: boolean;
  /** What it could spend at that time; null where that is not known any more. */
  availableFen: number | null;
  owedFen: number;
  debtLimitFen: number;
};

/**
 * Why a card was refused, as exactly as can be told. Protocols have fewer words than reasons (OCPP says "Blocked" of an
 * empty card), so what is known of the card counts as well.
 */
export function tellCard(cardNumber: string, authorization: Authorization | null, card: ShownCard | null): Sentence {
  const params = { cardNumber };
  switch (authorization) {
    case null:
      return { kind: 'card_unanswered', params };
    case 'accepted':
      return { kind: 'card_accepted', params };
    case 'unknown':
      return { kind: card === null ? 'card_unknown' : 'card_refused', params };
    case 'vehicle_unknown':
      return { kind: 'vehicle_unknown', params };
    case 'expired':
      return { kind: 'card_expired', params };
    case 'already_charging':
      return { kind: 'card_busy', params };
    case 'station_closed':
      return { kind: 'station_closed', params };
    case 'not_supported':
      return { kind: 'card_refused', params };
    case 'blocked':
      if (card === null) return { kind: 'card_refused', params };
      if (card.state !== 'active' || (card.customerState ?? 'normal') !== 'normal') {
        return { kind: 'card_disabled', params };
      }
      if (card.isExpired) return { kind: 'card_expired', params };
      return tellMoney(cardNumber, card) ?? { kind: 'station_closed', params };
    case 'no_balance':
      return (card === null ? null : tellMoney(cardNumber, card)) ?? { kind: 'card_empty', params };
  }
}

/** Null where its money would have been enough. */
function tellMoney(cardNumber: string, card: ShownCard): Sentence | null {
  const { owedFen, debtLimitFen, availableFen } = card;
  if (owedFen > debtLimitFen) return { kind: 'card_in_debt', params: { cardNumber, owedFen } };
  if (availableFen === null || availableFen >= moneyLimits.startBalanceMinFen) return null;
  const missingFen = moneyLimits.startBalanceMinFen - availableFen;
  return { kind: 'card_too_little', params: { cardNumber, availableFen, missingFen } };
}

/** What a station made of a start that we asked it for. */
export function tellStart(outcome: AskedOutcome, connectorNumber: number | null, afterMs: number | null): Sentence {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'start_agreed', params: { connectorNumber, afterMs } };
    case 'scheduled':
      return { kind: 'start_waits_for_plug', params: { connectorNumber } };
    case 'refused':
      return { kind: 'start_refused', params: { connectorNumber, because: outcome.reason ?? 'other' } };
    case 'unanswered':
      return { kind: 'start_unanswered', params: { connectorNumber } };
  }
}

export function tellStop(outcome: AskedOutcome, afterMs: number | null): Sentence {
  switch (outcome.kind) {
    case 'accepted':
    case 'scheduled':
      return { kind: 'stop_agreed', params: { afterMs } };
    case 'refused':
      return { kind: 'stop_refused', params: { because: outcome.reason ?? 'other' } };
    case 'unanswered':
      return { kind: 'stop_unanswered', params: {} };
  }
}

/**
 * A charge that began and got no energy for too long. `withoutUntilMs` is the last time at which it is known to have had
 * none: a reading of zero, or the end or now where no energy ever came.
 */
export function tellNoEnergy(charge: { beganAtMs: number; withoutUntilMs: number }): Sentence | null {
  const waitedMs = charge.withoutUntilMs - charge.beganAtMs;
  if (waitedMs <= troubleLimits.energyMs) return null;
  return { kind: 'no_energy', params: { afterMs: waitedMs } };
}

/** A charge whose end we heard of long after it. */
export function tellLateBill({ endedAtMs, heardAtMs }: { endedAtMs: number; heardAtMs: number }): Sentence | null {
  const lateMs = heardAtMs - endedAtMs;
  return lateMs > troubleLimits.billMs ? { kind: 'bill_late', params: { lateMs } } : null;
}

/** Held money that was given back long after the end of its charge. */
export function tellLateRelease(hold: { endedAtMs: number; releasedAtMs: number; amountFen: number }): Sentence | null {
  const lateMs = hold.releasedAtMs - hold.endedAtMs;
  if (lateMs <= troubleLimits.holdMs || hold.amountFen <= 0) return null;
  return { kind: 'hold_released_late', params: { amountFen: hold.amountFen, lateMs } };
}

/** A register that a rule disbelieves. */
export function tellDoubt(doubt: ReadingDoubt, energyWh: number | null): Sentence {
  return { kind: doubt, params: { energyWh } };
}

/** A bill with more energy than the readings show. `afterWh` is what could flow between the last one and the end. */
export function tellUnread({
  billedWh,
  readWh,
  afterWh,
}: {
  billedWh: number;
  readWh: number;
  afterWh: number;
}): Sentence | null {
  const tolerated = Math.max(troubleLimits.unreadWh, billedWh * troubleLimits.unreadShare);
  return billedWh - readWh - afterWh > tolerated ? { kind: 'energy_unread', params: { billedWh, readWh } } : null;
}

/** A charge that goes on, as far as we know, at a station that we cannot reach. */
export function tellChargingOffline(charge: { isCharging: boolean; isOnline: boolean }): Sentence | null {
  return charge.isCharging && !charge.isOnline ? { kind: 'charging_offline', params: {} } : null;
}

/** What became of a refund that is not done. */
export function tellRefund(state: 'untreated' | 'processing' | 'done' | 'failed' | 'closed', amountFen: number) {
  switch (state) {
    case 'done':
      return null;
    case 'untreated':
    case 'processing':
      return { kind: 'refund_waits', params: { amountFen } } satisfies Sentence;
    case 'failed':
    case 'closed':
      return { kind: 'refund_failed', params: { amountFen } } satisfies Sentence;
  }
}
