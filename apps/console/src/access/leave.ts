import { forgetToken } from '../api/token.ts';
import { loginAddress } from './entry.ts';
import { leaveNotice } from './notice.ts';

/** Forgets the token and goes to the sign-in page, with the way back to where the person was. */
export function leaveToLogin(notice?: string): void {
  forgetToken();
  if (notice !== undefined) leaveNotice(notice);
  location.assign(loginAddress(location.pathname + location.search));
}
