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
  /** `declined`: the person chose to stay on the page without a session. */
  state: 'none' | 'asking' | 'declined';
  /** Counts how often the session was regained; the event stream begins again with each. */
  regained: number;
};

export const useSessionLoss = create<SessionLoss>(() => ({ state: 'none', regained: 0 }));

/** The token that this window's session lives by. */
let known: string | null = null;
let waiting: ((isBack: boolean) => void)[] = [];

/** Said when a session begins: its token is told from one that another window leaves in the cookie. */
export function knowToken(token: string | null): void {
  known = token;
}

/** Whose session the browser's cookie holds by now. */
type Owner = 'same' | 'other' | 'nobody';

async function ownerOfCookie(): Promise<Owner> {
  const verdict = await send({ method: 'GET', address: addressOf(userPath) }).catch(() => null);
  if (verdict?.kind !== 'accepted') return 'nobody';
  const user = verdict.data as AnswerOf<typeof getUserInfo> | null;
  if (user === null) return 'nobody';
  return user.id === useSessionStore.getState().session?.user.id ? 'same' : 'other';
}

/** A page that shows one person's records must not act as another. */
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
 * The server refused the token `asked`. One dialog asks, however many questions were refused; who declined is asked
 * again only by something they do themselves. Gives whether the same person is signed in again.
 */
export async function onSessionLost(isAct: boolean, asked: string | null): Promise<boolean> {
  const token = readToken();
  if (token !== null && token !== asked && useSessionStore.getState().session !== null) {
    // This window has signed in again while the question was under way, or another one has.
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

/** Opens the dialog again for somebody who had declined. */
export function askAgain(): void {
  useSessionLoss.setState({ state: 'asking' });
}

/** The person stays on the page; everything that waited is refused. */
export function declineSignIn(): void {
  useSessionLoss.setState({ state: 'declined' });
  settle(false);
}

/** Somebody signed in by the dialog: the same person goes on, anybody else begins anew. */
export function signedInAgain(userId: number): void {
  if (userId === useSessionStore.getState().session?.user.id) regain();
  else startOver();
}

/** Looks whether another window has signed in as somebody else while this one was out of sight. */
export async function checkOwner(): Promise<void> {
  const token = readToken();
  if (token === null || token === known || useSessionLoss.getState().state === 'asking') return;
  const owner = await ownerOfCookie();
  if (owner === 'other') startOver();
  else if (owner === 'same') regain();
}
