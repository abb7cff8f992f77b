import type { Language } from '@voltdeck/journeys/api';
import type { Product } from '@voltdeck/journeys/product';
import { adminPassword } from '@voltdeck/journeys/product';
import type { Page } from 'playwright-core';
import { type BrowserPage, browserPage, type PageOptions } from './browser-page.ts';

const settledPollMs = 30;

export type ConsoleOptions = PageOptions & { language: Language };

/** The token of a new administrator session. */
export async function newToken(
  url: string,
  who: { userName: string; password: string } = { userName: 'admin', password: adminPassword },
): Promise<string> {
  const body = new URLSearchParams({ ...who, platForm: '4' });
  const response = await fetch(`${url}/api/login`, { method: 'POST', body, signal: AbortSignal.timeout(15_000) });
  const { data, message } = (await response.json()) as { data: { token: string } | null; message: { message: string } };
  if (data === null) throw new Error(`sign-in refused: ${message.message}`);
  return data.token;
}

/** A page of the console in a language, signed in if there is a token. */
export async function consolePage(
  product: Pick<Product, 'url'>,
  { token, ...options }: ConsoleOptions & { token: string | null },
): Promise<BrowserPage> {
  const opened = await browserPage({ reducedMotion: true, ...options });
  await speak(opened, options.language);
  if (token !== null) await opened.context.addCookies([{ name: 'zhny_token', value: token, url: product.url }]);
  return opened;
}

/** Sets the language as if chosen on an earlier visit. */
async function speak({ context }: BrowserPage, language: Language): Promise<void> {
  await context.addInitScript((chosen) => {
    if (localStorage.getItem('change-language') === null) localStorage.setItem('change-language', chosen);
  }, language);
}

/** A page in its tab; what is not kept stands in a box of its own. Panels within a page are sections too. */
const screens = 'main > section, main > div > section';

/**
 * Does what leads to another screen, and waits until that is shown: until then, what the page before has of the same name
 * would be found. A view of the same screen is not another page.
 */
export async function leave(page: Page, go: () => Promise<unknown>): Promise<void> {
  await page.evaluate((selector) => {
    for (const shown of document.querySelectorAll(selector)) {
      if (shown.checkVisibility()) shown.setAttribute('data-left', '');
      else shown.removeAttribute('data-left');
    }
  }, screens);
  await go();
  const others = page.locator(screens).and(page.locator(':not([data-left])'));
  await others.filter({ visible: true }).first().waitFor();
}

/** Navigates to a path of the console by link and waits until that screen is shown. */
export const goTo = (page: Page, path: string): Promise<void> =>
  leave(page, () =>
    page.evaluate((wanted) => {
      history.pushState(null, '', wanted);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path),
  );

/** Waits until nothing on the page is loading or animated, except endless animations. */
export async function settled({ page }: Pick<BrowserPage, 'page'>): Promise<void> {
  // The latest changes are applied in the next frame: media queries and effects run between two.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
  // Polls by the clock: polling per frame would force frames to be drawn.
  await page.waitForFunction(
    () => {
      const places = document.querySelectorAll('[aria-busy="true"], .ant-skeleton, .ant-spin-spinning');
      // Hidden pages may be paused half loaded.
      const isBusy = [...places].some((place) => place.checkVisibility());
      const isMoving = document
        .getAnimations()
        .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
      return !isBusy && !isMoving && document.fonts.status === 'loaded';
    },
    undefined,
    { polling: settledPollMs },
  );
}
