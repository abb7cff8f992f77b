import type { Language } from '@voltdeck/journeys/api';
import type { Product } from '@voltdeck/journeys/product';
import { adminPassword } from '@voltdeck/journeys/product';
import { type BrowserPage, browserPage, type PageOptions } from './browser-page.ts';

export type ConsoleOptions = PageOptions & { language: Language };

/** The token of a new session of the administrator. */
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

/** A page of the console in a language; signed in where there is a token. */
export async function consolePage(
  product: Pick<Product, 'url'>,
  { token, ...options }: ConsoleOptions & { token: string | null },
): Promise<BrowserPage> {
  const opened = await browserPage({ reducedMotion: true, ...options });
  await speak(opened, options.language);
  if (token !== null) await opened.context.addCookies([{ name: 'zhny_token', value: token, url: product.url }]);
  return opened;
}

/** As if the language had been chosen on an earlier visit. */
async function speak({ context }: BrowserPage, language: Language): Promise<void> {
  await context.addInitScript((chosen) => {
    if (localStorage.getItem('change-language') === null) localStorage.setItem('change-language', chosen);
  }, language);
}

/** Waits until nothing on the page is under way: no loading places, no animation that ends. */
export async function settled({ page }: Pick<BrowserPage, 'page'>): Promise<void> {
  // What was done last shows from the next frame on: media queries are heard and effects run between two.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
  await page.waitForFunction(() => {
    const isBusy = document.querySelector('[aria-busy="true"], .ant-skeleton, .ant-spin-spinning') !== null;
    const isMoving = document
      .getAnimations()
      .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    return !isBusy && !isMoving && document.fonts.status === 'loaded';
  });
}
