import { chromiumFlags, isSandboxed } from '@voltdeck/browser-tests/chromium-flags';
import { menuPaths } from '@voltdeck/browser-tests/screen-views';
import { timeVisits, type Visit, visitScreens } from '@voltdeck/browser-tests/screen-visits';
import { buildConsole } from '@voltdeck/front-door/console-build.mjs';
import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import { chromium } from 'playwright-core';
import { openSession } from './open-session.ts';
import { startProduct } from './product.ts';
import { seedStations } from './seed-stations.ts';
import { median, percentile } from './spread.ts';

const stationCount = 100;
const loads = 10;
const waitLimitMs = 30_000;
/** The bound on a quiet machine; beside other work only the ratio is meaningful. */
const firstMaxMs = 150;
const ratioMax = 3;

/**
 * First visits to the screens of the menu, from the click to the first row, compared with going back to their kept
 * tabs.
 * @returns a line for every screen that takes too long.
 */
export async function benchFirstVisit(): Promise<string[]> {
  const built = buildConsole();
  if (!built.ok) throw new Error(built.output);
  const product = await startProduct((database) => seedStations(database, stationCount));
  try {
    return report(await visitsOf(`http://127.0.0.1:${product.port}`, await openSession(product.database)));
  } finally {
    await product.stop();
  }
}

async function visitsOf(url: string, token: string): Promise<Visit[]> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('this machine has no Chromium or Chrome');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: isSandboxed, args: [...chromiumFlags] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
    context.setDefaultTimeout(waitLimitMs);
    await context.addCookies([{ name: 'zhny_token', value: token, url }]);
    await timeVisits(context);
    const visits: Visit[] = [];
    for (let load = 0; load < loads; load += 1) {
      const page = await context.newPage();
      // Each load starts with another screen, since the first screen of a window is not visited by a click.
      const start = menuPaths[load % menuPaths.length] ?? '/';
      await page.goto(url + start);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(2_000);
      visits.push(
        ...(await visitScreens(
          page,
          menuPaths.filter((path) => path !== start),
        )),
      );
      await page.close();
    }
    return visits;
  } finally {
    await browser.close();
  }
}

function report(visits: readonly Visit[]): string[] {
  console.log(`click to first row, ms, in ${loads} loads of the console`);
  console.log(`  ${'screen'.padEnd(20)} first p50    p95   kept p50    p95   ratio of the medians`);
  const misses: string[] = [];
  const row = (name: string, of: readonly Visit[]) => {
    const first = of.map(({ firstMs }) => firstMs);
    const kept = of.map(({ keptMs }) => keptMs);
    const ratio = median(first) / median(kept);
    const cells = [median(first), percentile(first, 0.95), median(kept), percentile(kept, 0.95)];
    const [p50, p95, keptP50, keptP95] = cells.map((ms) => ms.toFixed(0).padStart(6));
    console.log(`  ${name.padEnd(20)}    ${p50} ${p95}     ${keptP50} ${keptP95}   ${ratio.toFixed(2).padStart(6)}`);
    if (median(first) > firstMaxMs) misses.push(`first-visit: ${name} took ${p50} ms, bound ${firstMaxMs} ms`);
    if (ratio > ratioMax)
      misses.push(`first-visit: ${name} took ${ratio.toFixed(2)} of its kept tab, bound ${ratioMax}`);
  };
  for (const path of menuPaths)
    row(
      path,
      visits.filter((visit) => visit.path === path),
    );
  row('all', visits);
  return misses;
}
