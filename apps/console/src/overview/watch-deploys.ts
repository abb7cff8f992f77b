import { minuteMs } from '@voltdeck/units/instant';

/** How often a screen looks for a new version of itself. */
const lookEveryMs = 5 * minuteMs;

/** The file that a page of the console begins with; its name changes with its content. Null if it names none. */
export function entryFileOf(page: string): string | null {
  const [tag] = /<script\b[^>]*\btype="module"[^>]*>/.exec(page) ?? [];
  return (tag === undefined ? null : /\bsrc="([^"]+)"/.exec(tag)?.[1]) ?? null;
}

/** Whether the server has another version of the console than this page. An answer that is no page of ours is none. */
export function isOtherVersion(own: string | null, page: string): boolean {
  const served = entryFileOf(page);
  return own !== null && served !== null && served !== own;
}

/**
 * Loads the page anew once the server has another version of it, until the returned function is called. Nobody presses
 * a key at a wall for weeks.
 */
export function watchDeploys(reload: () => void = () => location.reload()): { look: () => void; stop: () => void } {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
  const look = async () => {
    const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
    if (answer?.ok && isOtherVersion(own, await answer.text().catch(() => ''))) reload();
  };
  const timer = setInterval(() => {
    if (!document.hidden) void look();
  }, lookEveryMs);
  return { look: () => void look(), stop: () => clearInterval(timer) };
}
