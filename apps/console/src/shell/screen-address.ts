import { outerScreens } from '@voltdeck/contract/outer-screens';
import { type Appearance, appearances } from '../ui/appearance.ts';

/** The path of the built-in big-data screen, used unless the configuration names another. */
export const screenPath = outerScreens.screen.path;

/** The configuration parameter for it (specification section 2: an external page). */
export const screenConfigKey = 'screen_url';

/**
 * Where the big-data screen opens. Our own origin knows the session by its cookie; another origin gets the token, as
 * the specification says. Only http addresses are opened.
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

/** The appearance that the big screen's address names, `/screen?theme=light`; null follows the console's setting. */
export function screenTheme(search: string): Appearance | null {
  const wanted = new URLSearchParams(search).get('theme');
  return appearances.find((known) => known === wanted) ?? null;
}
