import type { getUserInfo } from '@voltdeck/contract/access';
import type { AnswerOf } from '@voltdeck/contract/route';
import { create } from 'zustand';
import { addressOf } from '../api/address.ts';
import { endPage } from '../api/page-end.ts';
import { send } from '../api/send.ts';
import { readToken } from '../api/token.ts';
import { useSessionStore } from '../session/session.ts';

/** The path of the route, written out as in access/session-request.ts. */
const userPath: (typeof getUserInfo)['path'] = '/user/info';

type SessionLoss = {
  /** `declined`: the user chose to stay on the page without a session. */
  state: 'none' | 'asking' | 'declined';
  /** Counts how often the session was regained; each time the event stream starts again. */
  regained: number;
};

export const useSessionLoss = create<SessionLoss>(() => ({ state: 'none', regained: 0 }));

/** The token of this window's session. */
let known: string | null = null;
let waiting: ((isBack: boolean) => void)[] = [];

/** Called when a session begins, to distinguish its token from one that another window leaves in the cookie. */
export function rememberToken(token: string | null): void {
  known = token;
}

/** Whose session the browser's cookie holds now. */
type Owner = 'same' | 'other' | 'nobody';

async function ownerOfCookie(): Promise<Owner> {
  const verdict = await send({ method: 'GET', address: addressOf(userPath) }).catch(() => null);
  if (verdict?.kind !== 'accepted') return 'nobody';
  const user = verdict.data as AnswerOf<typeof getUserInfo> | null;
  if (user === null) return 'nobody';
  return user.id === useSessionStore.getState().session?.user.id ? 'same' : 'other';
}

/** A page with one person's records must not act as another. */
function startOver(): void {
  endPage();
  location.reload();
}

function regain(): void {
  known = readToken();
  useSessionLoss.setState(({ regained }) => ({ state: 'none', regained: regained + 1 }));
  settle(true);
}

function settle(isBack: boolean): void {
  const all = waiting;
  waiting = [];
  for (const resolve of all) resolve(isBack);
}

function ask(): Promise<boolean> {
  useSessionLoss.setState({ state: 'asking' });
  return new Promise((resolve) => waiting.push(resolve));
}

/**
 * Handles a refused token. One dialog opens, however many requests were refused; a user who declined sees it again only
 * after doing something themselves. Resolves to whether the same person has signed in again.
 */
export async function onSessionLost(isAct: boolean, asked: string | null): Promise<boolean> {
  const token = readToken();
  if (token !== null && token !== asked && useSessionStore.getState().session !== null) {
    // This window or another has signed in again since the request was sent.
    if (token === known) return true;
    const owner = await ownerOfCookie();
    if (owner === 'same') {
      regain();
      return true;
    }
    if (owner === 'other') {
      startOver();
      return false;
    }
  }
  if (useSessionLoss.getState().state === 'declined' && !isAct) return false;
  return ask();
}

/** Opens the dialog again after the user declined. */
export function askAgain(): void {
  useSessionLoss.setState({ state: 'asking' });
}

/** Stays on the page; everything that waited is refused. */
export function declineSignIn(): void {
  useSessionLoss.setState({ state: 'declined' });
  settle(false);
}

/** After signing in through the dialog the same user continues; a different user starts over. */
export function signedInAgain(userId: number): void {
  if (userId === useSessionStore.getState().session?.user.id) regain();
  else startOver();
}

/** Checks whether another window has signed in as someone else while this one was hidden. */
export async function checkOwner(): Promise<void> {
  const token = readToken();
  if (token === null || token === known || useSessionLoss.getState().state === 'asking') return;
  const owner = await ownerOfCookie();
  if (owner === 'other') startOver();
  else if (owner === 'same') regain();
}
