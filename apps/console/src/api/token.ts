import { tokenCookie } from '@voltdeck/contract/envelope';
import { endPage } from './page-end.ts';

/** A remembered sign-in lives this long in the browser; the server ends it earlier if it wants to. */
const rememberedSeconds = 30 * 24 * 60 * 60;

/** The token in a cookie header text, or null. */
export function tokenIn(cookies: string): string | null {
  for (const part of cookies.split(';')) {
    const [name, ...value] = part.trim().split('=');
    if (name === tokenCookie) return decoded(value.join('=')) || null;
  }
  return null;
}

/** What somebody else has put there in another way is no token. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Given to one page alone, by the address it was opened with; this window keeps it across reloads. */
const pageTokenKey = 'voltdeck-page-token';
let pageToken: string | null = null;

/** Lives by `token`, or by the one given to this window earlier, instead of the browser's cookie. */
export function adoptPageToken(token: string | null): void {
  if (token !== null) sessionStorage.setItem(pageTokenKey, token);
  pageToken = token ?? sessionStorage.getItem(pageTokenKey);
}

export function readToken(): string | null {
  return pageToken ?? tokenIn(document.cookie);
}

/** Says that the sign-in may outlast the browser, so that signing in again in place can do the same. */
const rememberedKey = 'voltdeck-remembered';

export function isRemembered(): boolean {
  return localStorage.getItem(rememberedKey) !== null;
}

/** Without `remember` the cookie ends with the browser. */
export function keepToken(token: string, remember: boolean): void {
  if (pageToken !== null) {
    adoptPageToken(token);
    return;
  }
  const age = remember ? `; Max-Age=${rememberedSeconds}` : '';
  if (remember) localStorage.setItem(rememberedKey, '1');
  else localStorage.removeItem(rememberedKey);
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in Firefox ESR
  document.cookie = `${tokenCookie}=${encodeURIComponent(token)}; Path=/; SameSite=Lax${age}${secure}`;
}

/** Drops the token and ends the page that lived by it: whoever calls this loads another. */
export function forgetToken(): void {
  endPage();
  if (pageToken !== null) {
    // The browser's own session is somebody else's affair.
    sessionStorage.removeItem(pageTokenKey);
    pageToken = null;
    return;
  }
  // biome-ignore lint/suspicious/noDocumentCookie: see keepToken
  document.cookie = `${tokenCookie}=; Path=/; SameSite=Lax; Max-Age=0`;
}
