import { outerScreens } from '@voltdeck/contract/outer-screens';

export const loginPath = outerScreens.login.path;

export type Entry =
  /** `redirect` is where to go after signing in. `address` replaces what the address bar shows. */
  { kind: 'sign-in'; redirect: string; address?: string } | { kind: 'console'; address?: string };

/** Stands in for the console's origin when parsing addresses. */
const here = 'https://console.invalid';

/**
 * Accepts only addresses on this console, as a browser would resolve them: "//elsewhere.example",
 * "/\t/elsewhere.example" and "https:…" point to other sites.
 */
export function safeRedirect(redirect: string | null): string {
  if (redirect === null || !redirect.startsWith('/') || !URL.canParse(redirect, here)) return '/';
  const { origin, pathname, search, hash } = new URL(redirect, here);
  if (origin !== here || pathname.startsWith('//') || pathname === loginPath) return '/';
  return pathname + search + hash;
}

/** The address of the sign-in page, with the way back. */
export function loginAddress(wanted: string): string {
  const redirect = safeRedirect(wanted);
  return redirect === '/' ? loginPath : `${loginPath}?redirect=${encodeURIComponent(redirect)}`;
}

/** Specification section 2: without a token only /login is open; with one, /login leads to /. */
export function entryOf(at: { path: string; search: string; hasToken: boolean }): Entry {
  const isLogin = at.path === loginPath;
  if (at.hasToken) return isLogin ? { kind: 'console', address: '/' } : { kind: 'console' };
  if (!isLogin) {
    const wanted = at.path + at.search;
    return { kind: 'sign-in', redirect: safeRedirect(wanted), address: loginAddress(wanted) };
  }
  return { kind: 'sign-in', redirect: safeRedirect(new URLSearchParams(at.search).get('redirect')) };
}
