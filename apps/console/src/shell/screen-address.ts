/** The built-in big-data screen, unless the configuration names another one. */
export const screenPath = '/screen';

/** The configuration parameter that names it (specification section 2: an external page). */
export const screenConfigKey = 'screen_url';

/**
 * Where the big-data screen opens. Our own origin knows the session by its cookie; another one is given the token, as
 * the specification says. What is no http address is not opened.
 */
export function screenAddress(configured: string | null | undefined, origin: string, token: string | null): string {
  const wanted = configured?.trim() || screenPath;
  if (!URL.canParse(wanted, origin)) return screenPath;
  const address = new URL(wanted, origin);
  if (!/^https?:$/.test(address.protocol)) return screenPath;
  if (address.origin === origin) return address.pathname + address.search + address.hash;
  if (token !== null) address.searchParams.set('token', token);
  return address.href;
}
