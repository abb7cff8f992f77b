import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds from the click to the first frame with the screen's rows or its empty state. */
export type Visit = { path: string; firstMs: number; keptMs: number };

/** Pause before the next click, in which background work of the last one ends. */
const restMs = 400;

/** Call this before the profile's pages load. */
export async function timeVisits(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: fileURLToPath(new URL('./visits-in-page.js', import.meta.url)) });
}

/** Visits these screens by the menu, for the first time in this page, and then all again by their tabs. */
export async function visitScreens(page: Page, paths: readonly string[]): Promise<Visit[]> {
  const timed = async (path: string, links: string): Promise<number> => {
    await page.evaluate(`visits.begin(${JSON.stringify(path)})`);
    await page.locator(`${links}[href^="${path}"]`).first().click();
    const ms = await page.evaluate<number>('visits.painted()');
    await page.waitForTimeout(restMs);
    return ms;
  };
  const first = new Map<string, number>();
  for (const path of paths) first.set(path, await timed(path, 'aside nav a'));
  const visits: Visit[] = [];
  for (const path of paths) {
    visits.push({ path, firstMs: first.get(path) ?? Number.NaN, keptMs: await timed(path, 'li[data-key] a') });
  }
  return visits;
}
