/**
 * Charges that began without permission. A station may go on in spite of a refusal, so it is asked to stop repeatedly
 * until it reports that the charge has ended or that the gun port is not charging any more.
 */
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';

/** How long a station has to stop before it is asked again. */
export const stopAskIntervalMs = 30 * secondMs;
/** Maximum number of requests over one connection: a station that has not stopped after five minutes will not. */
export const stopAsksMax = 10;

export type RefusedCharge = {
  readonly connectorNumber: number;
  readonly transaction: TransactionReference;
  asksLeft: number;
  dueAt: Instant;
};

/** Null for most connections, to save memory. */
export type RefusedHolder = { refused: RefusedCharge[] | null };

/** A gun port has one charge, so a later one replaces an earlier one. The first request is due at `dueAt`. */
export function noteRefused(
  holder: RefusedHolder,
  charge: { connectorNumber: number; transaction: TransactionReference; dueAt: Instant; asksMax?: number },
): void {
  const { connectorNumber: ofPort, transaction, dueAt, asksMax = stopAsksMax } = charge;
  forgetRefused(holder, ({ connectorNumber }) => connectorNumber === ofPort);
  holder.refused ??= [];
  holder.refused.push({ connectorNumber: ofPort, transaction, dueAt, asksLeft: asksMax });
}

/** Forgets charges that have ended or no longer concern this station. */
export function forgetRefused(holder: RefusedHolder, isOver: (charge: RefusedCharge) => boolean): void {
  if (holder.refused === null) return;
  const left = holder.refused.filter((charge) => !isOver(charge));
  holder.refused = left.length > 0 ? left : null;
}

/** When the next stop request is due. */
export function refusedDueAt({ refused }: RefusedHolder): number {
  let at = Number.MAX_SAFE_INTEGER;
  for (const { dueAt } of refused ?? []) at = Math.min(at, dueAt);
  return at;
}

/** The charges that must be asked to stop now. A charge is forgotten with its last request. */
export function takeDueRefused(holder: RefusedHolder, now: Instant): readonly RefusedCharge[] {
  const due = holder.refused?.filter(({ dueAt }) => now >= dueAt) ?? [];
  for (const charge of due) {
    charge.asksLeft -= 1;
    charge.dueAt = instant(now + stopAskIntervalMs);
  }
  if (due.length > 0) forgetRefused(holder, ({ asksLeft }) => asksLeft <= 0);
  return due;
}
