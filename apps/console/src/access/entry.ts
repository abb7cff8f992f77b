export const loginPath = '/login';

export type Entry =
  /** `redirect` is where to go after signing in. `address` is what the address bar has to say instead. */
  { kind: 'sign-in'; redirect: string; address?: string } | { kind: 'console'; address?: string };

/** Stands for wherever the console is: only what belongs to it counts. */
const here = 'https://console.invalid';

/**
 * Only places of this console, as a browser reads them: "//elsewhere.example", "/\t/elsewhere.example" and "https:…" are
 * somebody else's.
 */
export function safeRedirect(redirect: string | null): string {
  if (redirect === null || !redirect.startsWith('/') || !URL.canParse(redirect, here)) return '/';
  const { origin, pathname, search, hash } = new URL(redirect, here);
  if (origin !== here || pathname.startsWith('//') || pathname === loginPath) return '/';
  return pathname + search + hash;
}

/** Where signing in is asked for, with the way back. */
export function loginAddress(wanted: string): string {
  const redirect = safeRedirect(wanted);
  return redirect === '/' ? loginPath : `${loginPath}?redirect=${encodeURIComponent(redirect)}`;
}

/** Specification section 2: without a token only /login is open, with one /login leads to /. */
export function entryOf(at: { path: string; search: string; hasToken: boolean }): Entry {
  const isLogin = at.path === loginPath;
  if (at.hasToken) return isLogin ? { kind: 'console', address: '/' } : { kind: 'console' };
  if (!isLogin) {
    const wanted = at.path + at.search;
    return { kind: 'sign-in', redirect: safeRedirect(wanted), address: loginAddress(wanted) };
  }
  return { kind: 'sign-in', redirect: safeRedirect(new URLSearchParams(at.search).get('redirect')) };
}
