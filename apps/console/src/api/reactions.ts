import type { Verdict } from './envelope.ts';
import { readToken } from './token.ts';

/** Specification section 9. */
export const refusalToastMs = 5_000;

export type Reactions = {
  /** A refusal's message, for `refusalToastMs`. */
  toast: (message: string, requestId?: string) => void;
  /** Signs out and loads the page again. */
  signOut: () => void;
  /**
   * Asks whether to sign in again. Gives true when the same person is signed in again, so that what was refused may be
   * asked once more. `isAct` is false for questions that nobody waits for; `asked` is the token that was refused.
   */
  sessionLost: (isAct: boolean, asked: string | null) => Promise<boolean>;
};

let reactions: Reactions | null = null;

/** The shell says how refusals are shown; before it stands, nobody is there to see them. */
export function setReactions(next: Reactions): void {
  reactions = next;
}

/**
 * Specification section 8. `quiet` leaves the message to the page; a lost session is never quiet, unless `inSession`
 * has asked about it already.
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
      verdict.refused.isTold = true;
  }
}

/**
 * Asks, and asks once more if the session was lost and the same person has signed in again; what they typed is still
 * there. If nobody signs in again, the verdict of the lost session is returned.
 */
export async function inSession(ask: () => Promise<Verdict>, isAct: boolean): Promise<Verdict> {
  const token = readToken();
  const verdict = await ask();
  if (verdict.kind !== 'session-lost' || reactions === null) return verdict;
  return (await reactions.sessionLost(isAct, token)) ? ask() : verdict;
}
