import type { Waits } from '@voltdeck/contract/approvals';
import type { Verdict } from './envelope.ts';
import { readToken } from './token.ts';

/** Specification section 9. */
export const refusalToastMs = 5_000;

export type Reactions = {
  /** Shows a refusal's message for `refusalToastMs`. */
  toast: (message: string, requestId?: string) => void;
  /** Signs out and reloads the page. */
  signOut: () => void;
  /**
   * Offers to sign in again. Resolves to true when the same person has signed in, so that the refused call can be
   * repeated. `isAct` is false for requests that nobody is waiting for; `asked` is the refused token.
   */
  sessionLost: (isAct: boolean, asked: string | null) => Promise<boolean>;
};

let reactions: Reactions | null = null;

/** Set by the shell; before that there is nowhere to show refusals. */
export function setReactions(next: Reactions): void {
  reactions = next;
}

type WaitingListener = (approval: Waits['waitsFor']) => void;
const waitingListeners = new Set<WaitingListener>();

/** Calls `listener` when an act waits for a second person, wherever it began. Returns a function that ends that. */
export function onWaiting(listener: WaitingListener): () => void {
  waitingListeners.add(listener);
  return () => waitingListeners.delete(listener);
}

export function showWaiting(approval: Waits['waitsFor']): void {
  for (const listener of waitingListeners) listener(approval);
}

/**
 * Specification section 8. `quiet` leaves the message to the page. A lost session is never quiet, unless `inSession`
 * has already offered to sign in.
 */
export function reactTo(verdict: Exclude<Verdict, { kind: 'accepted' }>, quiet: boolean): void {
  switch (verdict.kind) {
    case 'sign-out':
      reactions?.signOut();
      return;
    case 'session-lost':
      void reactions?.sessionLost(false, readToken());
      return;
    case 'refused':
      if (quiet || reactions === null) return;
      reactions.toast(verdict.refused.message, verdict.refused.requestId);
      verdict.refused.isShown = true;
  }
}

/**
 * Calls `ask`, and once more if the session was lost and the same person has signed in again; their input is still
 * there. Otherwise returns the verdict of the lost session.
 */
export async function inSession(ask: () => Promise<Verdict>, isAct: boolean): Promise<Verdict> {
  const token = readToken();
  const verdict = await ask();
  if (verdict.kind !== 'session-lost' || reactions === null) return verdict;
  return (await reactions.sessionLost(isAct, token)) ? ask() : verdict;
}
