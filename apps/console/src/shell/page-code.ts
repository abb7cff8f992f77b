import type { QueryClient } from '@tanstack/react-query';
import type { ScreenCode } from '@voltdeck/contract/screens';
import type { ComponentType } from 'react';
import { create } from 'zustand';
import { hasNetwork, isServed, isThereNow, reloadOnceServed } from '../api/network.ts';
import { pages } from '../routes.tsx';

type Code = { Page: ComponentType } | { failure: unknown } | 'awaits-network';

/** Pages whose code is loaded. They render at once, without React's delay after suspending. */
const useCode = create<Readonly<Partial<Record<ScreenCode, Code>>>>(() => ({}));

const underWay = new Map<ScreenCode, Promise<void>>();
/** Pages that failed to preload: the browser may cache that failure until the next page load. */
const missed = new Set<ScreenCode>();

async function fetchPage(screen: ScreenCode): Promise<void> {
  const { default: Page } = await pages[screen]();
  useCode.setState({ [screen]: { Page } });
}

/** Loads a page's code and phrases once. A failure is kept, for the page to show. */
export function loadPage(screen: ScreenCode): Promise<void> {
  const known = underWay.get(screen);
  if (known !== undefined) return known;
  const load = fetchPage(screen).catch((failure: unknown) => fetchAgain(screen, failure));
  underWay.set(screen, load);
  return load;
}

/**
 * A page whose code could not be loaded for lack of a network is retried when the network returns, by reloading the
 * console. If the server answers but no longer has the code, the page says so.
 */
async function fetchAgain(screen: ScreenCode, failure: unknown): Promise<void> {
  if (hasNetwork() && (await isServed())) {
    if (missed.has(screen) || (await isThereNow(failure))) location.reload();
    else useCode.setState({ [screen]: { failure } });
    return;
  }
  useCode.setState({ [screen]: 'awaits-network' });
  await reloadOnceServed();
}

/** The page of a screen; undefined while its code is loading. @throws the error that prevented loading */
export function usePage(screen: ScreenCode): ComponentType | 'awaits-network' | undefined {
  const code = useCode((known) => known[screen]);
  if (code === undefined || code === 'awaits-network') return code;
  if ('failure' in code) throw code.failure;
  return code.Page;
}

/** How long preloading waits for a browser that is never idle. */
const idleLimitMs = 2_000;

const untilIdle = () =>
  new Promise<void>((resolve) => {
    // Safari has no idle callback.
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, idleLimitMs);
    else requestIdleCallback(() => resolve(), { timeout: idleLimitMs });
  });

/** Resolves when no answer is being fetched. */
function untilAnswered(answers: QueryClient): Promise<void> {
  if (answers.isFetching() === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = answers.getQueryCache().subscribe(() => {
      if (answers.isFetching() > 0) return;
      stop();
      resolve();
    });
  });
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Preloads pages one after the other while the browser is idle, so that the first visit is immediate. Stops at the
 * first failure; visiting that page loads it again.
 */
export async function preloadPages(screens: readonly ScreenCode[], answers: QueryClient): Promise<void> {
  // Pages that the user asked for come first, and what they show.
  await Promise.all(underWay.values());
  await untilAnswered(answers);
  for (const screen of screens) {
    await untilIdle();
    if (savesData() || !hasNetwork()) return;
    if (underWay.has(screen)) continue;
    try {
      await fetchPage(screen);
      underWay.set(screen, Promise.resolve());
    } catch {
      missed.add(screen);
      return;
    }
  }
}
