import { tokenCookie } from '@voltdeck/contract/envelope';
import { keepText } from '../keep-text.ts';
import { endPage } from './page-end.ts';

/** How long the browser keeps a remembered sign-in; the server may end it earlier. */
const rememberedSeconds = 30 * 24 * 60 * 60;

/** The token in a cookie header, or null. */
export function tokenIn(cookies: string): string | null {
  for (const part of cookies.split(';')) {
    const [name, ...value] = part.trim().split('=');
    if (name === tokenCookie) return decoded(value.join('=')) || null;
  }
  return null;
}

/** A cookie that something else set may not decode. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** A token given to one page by its address; this window keeps it across reloads. */
const pageTokenKey = 'voltdeck-page-token';
let pageToken: string | null = null;

/** Uses `token`, or the one given to this window earlier, instead of the browser's cookie. */
export function adoptPageToken(token: string | null): void {
  if (token !== null) keepText(sessionStorage, pageTokenKey, token);
  pageToken = token ?? sessionStorage.getItem(pageTokenKey);
}

export function readToken(): string | null {
  return pageToken ?? tokenIn(document.cookie);
}

/** Records that the sign-in may outlast the browser, so that signing in again keeps that choice. */
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
  if (remember) keepText(localStorage, rememberedKey, '1');
  else localStorage.removeItem(rememberedKey);
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in Firefox ESR
  document.cookie = `${tokenCookie}=${encodeURIComponent(token)}; Path=/; SameSite=Lax${age}${secure}`;
}

/** Drops the token and ends the page; the caller loads another. */
export function forgetToken(): void {
  endPage();
  if (pageToken !== null) {
    // Keep the browser's own session, which belongs to other windows.
    sessionStorage.removeItem(pageTokenKey);
    pageToken = null;
    return;
  }
  // biome-ignore lint/suspicious/noDocumentCookie: see keepToken
  document.cookie = `${tokenCookie}=; Path=/; SameSite=Lax; Max-Age=0`;
}
