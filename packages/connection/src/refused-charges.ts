/**
 * Charges that began without permission. A station is told no and may go on all the same, so it is asked to stop, again
 * and again, until it does: until it says that the charge has ended, or that the gun port does not charge any more.
 */
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';

/** How long a station has to obey before it is asked once more. */
export const stopAskIntervalMs = 30 * secondMs;
/** How often it is asked over one connection: what does not stop in five minutes does not listen. */
export const stopAsksMax = 10;

export type RefusedCharge = {
  readonly connectorNumber: number;
  readonly transaction: TransactionReference;
  asksLeft: number;
  dueAt: Instant;
};

/** Most connections have none: `null` costs nothing. */
export type RefusedHolder = { refused: RefusedCharge[] | null };

/** A gun port carries one charge, so a later one takes the place of an earlier. It is asked to stop at `dueAt`. */
export function noteRefused(
  holder: RefusedHolder,
  charge: { connectorNumber: number; transaction: TransactionReference; dueAt: Instant; asksMax?: number },
): void {
  const { connectorNumber: ofPort, transaction, dueAt, asksMax = stopAsksMax } = charge;
  forgetRefused(holder, ({ connectorNumber }) => connectorNumber === ofPort);
  holder.refused ??= [];
  holder.refused.push({ connectorNumber: ofPort, transaction, dueAt, asksLeft: asksMax });
}

/** They have ended, or have nothing to do with this station any more. */
export function forgetRefused(holder: RefusedHolder, isOver: (charge: RefusedCharge) => boolean): void {
  if (holder.refused === null) return;
  const left = holder.refused.filter((charge) => !isOver(charge));
  holder.refused = left.length > 0 ? left : null;
}

/** When the next of them has to be asked to stop. */
export function refusedDueAt({ refused }: RefusedHolder): number {
  let at = Number.MAX_SAFE_INTEGER;
  for (const { dueAt } of refused ?? []) at = Math.min(at, dueAt);
  return at;
}

/** Those that have to be asked to stop now. One that was asked often enough is forgotten with this. */
export function takeDueRefused(holder: RefusedHolder, now: Instant): readonly RefusedCharge[] {
  const due = holder.refused?.filter(({ dueAt }) => now >= dueAt) ?? [];
  for (const charge of due) {
    charge.asksLeft -= 1;
    charge.dueAt = instant(now + stopAskIntervalMs);
  }
  if (due.length > 0) forgetRefused(holder, ({ asksLeft }) => asksLeft <= 0);
  return due;
}
