import type { logout } from '@voltdeck/contract/access';
import { addressOf } from '../api/address.ts';
import { endPage } from '../api/page-end.ts';
import { send } from '../api/send.ts';
import { forgetToken } from '../api/token.ts';
import { loginAddress } from './entry.ts';
import { leaveNotice } from './notice.ts';

/** The path of the route, written out as in session-request.ts. */
const logoutPath: (typeof logout)['path'] = '/logout';
/** A server that does not answer by then is left without its answer; the page shows nothing new meanwhile. */
const logoutWaitMs = 10_000;

/**
 * Ends the session at the server and here. What the page is asking is given up first, since it would be refused.
 * `forget` drops what else the browser keeps of this person's work.
 */
export async function signOut(forget: () => void = () => {}): Promise<void> {
  endPage();
  const signal = AbortSignal.timeout(logoutWaitMs);
  // Signing out of a server that cannot be reached still signs this browser out.
  await send({ method: 'POST', address: addressOf(logoutPath), signal, isLast: true }).catch(() => null);
  forget();
  leaveToLogin();
}

/** Forgets the token and goes to the sign-in page, with the way back to where the person was. */
export function leaveToLogin(notice?: string): void {
  forgetToken();
  if (notice !== undefined) leaveNotice(notice);
  location.assign(loginAddress(location.pathname + location.search));
}
