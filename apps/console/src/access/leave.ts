import type { logout } from '@voltdeck/contract/access';
import { addressOf } from '../api/address.ts';
import { endPage } from '../api/page-end.ts';
import { send } from '../api/send.ts';
import { forgetToken } from '../api/token.ts';
import { loginAddress } from './entry.ts';
import { leaveNotice } from './notice.ts';

/** The route's path, written out as in session-request.ts. */
const logoutPath: (typeof logout)['path'] = '/logout';
/** After this we leave without the server's answer. */
const logoutWaitMs = 10_000;

/**
 * Ends the session on the server and in this browser. Aborts running requests first, since they would be refused.
 * `forget` drops other data that the browser keeps for this user.
 */
export async function signOut(forget: () => void = () => {}): Promise<void> {
  endPage();
  const signal = AbortSignal.timeout(logoutWaitMs);
  // Sign out of this browser even if the server cannot be reached.
  await send({ method: 'POST', address: addressOf(logoutPath), signal, isLast: true }).catch(() => null);
  forget();
  leaveToLogin();
}

/** Drops the token and goes to the sign-in page, which leads back here. */
export function leaveToLogin(notice?: string): void {
  forgetToken();
  if (notice !== undefined) leaveNotice(notice);
  location.assign(loginAddress(location.pathname + location.search));
}
