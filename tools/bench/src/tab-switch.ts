import { fileURLToPath } from 'node:url';
import { chromiumFlags, isSandboxed } from '@voltdeck/browser-tests/chromium-flags';
import { buildConsole } from '@voltdeck/front-door/console-build.mjs';
import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import { chromium, type Page } from 'playwright-core';
import { openSession } from './open-session.ts';
import { startProduct } from './product.ts';
import { seedStations } from './seed-stations.ts';
import { median, spread } from './spread.ts';

const rowCount = 100;
const switches = 20;
/** How often the tab is rebuilt, which is the cost of a switch without a kept page. */
const rebuilds = 5;
/** A hundred rows of a dozen components each; a lower count means that the counter failed. */
const rebuiltMin = 100;
const restMs = 300;
const waitLimitMs = 30_000;
const warmUpSwitches = 2;

const listTitle = 'Charging stations';
const otherTitle = 'Gun ports';

type Tally = { rows: number; list: number; frame: number };
/** What happened between a click and the following rest: components rendered, document changes, and the time. */
type Seen = { rendered: Tally; changed: Tally; commits: number; paintedAfterMs: number };

/**
 * Compares going back to the tab of a list of 100 rows with building the same list: its rows must be neither rendered
 * nor touched, whatever the page fetches in the background.
 * @returns a line when a row was.
 */
export async function benchTabSwitch(): Promise<string[]> {
  const built = buildConsole();
  if (!built.ok) throw new Error(built.output);
  const product = await startProduct((database) => seedStations(database, rowCount));
  try {
    return await inChromium(`http://127.0.0.1:${product.port}`, await openSession(product.database));
  } finally {
    await product.stop();
  }
}

async function inChromium(url: string, token: string): Promise<string[]> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('this machine has no Chromium or Chrome');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: isSandboxed, args: [...chromiumFlags] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
    context.setDefaultTimeout(waitLimitMs);
    await context.addCookies([{ name: 'zhny_token', value: token, url }]);
    await context.addInitScript("localStorage.setItem('change-language', 'en')");
    await context.addInitScript({ path: fileURLToPath(new URL('./renders-in-page.js', import.meta.url)) });
    return report(await walk(await context.newPage(), url));
  } finally {
    await browser.close();
  }
}

type Walked = { first: Seen; rebuilt: Seen[]; left: Seen[]; back: Seen[] };

async function walk(page: Page, url: string): Promise<Walked> {
  const pending = pendingRequests(page);
  const tab = (title: string) =>
    page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name: title });
  const tableOf = (title: string) => page.locator(`main section[aria-label="${title}"] section table`);
  const see = async (
    options: { goTo?: string; isRebuilt?: boolean; isLeft?: boolean },
    act: () => Promise<void>,
  ): Promise<Seen> => {
    await page.evaluate(`renders.begin(${JSON.stringify({ list: listTitle, ...options })})`);
    await act();
    await untilQuiet(page, pending);
    return page.evaluate<Seen>('renders.end()');
  };

  await page.goto(`${url}/portList`);
  await tableOf(otherTitle).locator('tbody > tr').first().waitFor();
  const first = await see({ goTo: `/deviceList?pageSize=${rowCount}` }, async () => undefined);
  const rebuilt: Seen[] = [];
  for (let turn = 0; turn < rebuilds; turn += 1) {
    await page.getByRole('button', { name: 'Tab actions' }).click();
    const refresh = page.getByRole('menuitem', { name: 'Refresh' }).filter({ visible: true });
    await refresh.hover();
    rebuilt.push(await see({ isRebuilt: true }, () => refresh.click()));
  }
  const left: Seen[] = [];
  const back: Seen[] = [];
  for (let turn = -warmUpSwitches; turn < switches; turn += 1) {
    // A page that was left renders once more while hidden; wait for that before going back.
    const gone = await see({ isLeft: true }, async () => {
      await tab(otherTitle).click();
      await tableOf(otherTitle).waitFor();
      await tableOf(listTitle).waitFor({ state: 'hidden' });
    });
    const seen = await see({}, () => tab(listTitle).click());
    if (turn < 0) continue;
    left.push(gone);
    back.push(seen);
  }
  return { first, rebuilt, left, back };
}

/** The page's requests without an answer, except for the open event stream. */
function pendingRequests(page: Page): ReadonlySet<object> {
  const pending = new Set<object>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && !request.url().includes('/events')) pending.add(request);
  });
  const end = (request: object) => pending.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return pending;
}

/** Waits until the list is painted, every request is answered and the answers are rendered. */
async function untilQuiet(page: Page, pending: ReadonlySet<object>): Promise<void> {
  const until = Date.now() + waitLimitMs;
  while (Date.now() < until) {
    if (pending.size === 0 && (await page.evaluate<boolean>(`renders.isQuiet(${restMs})`)) && pending.size === 0)
      return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the page did not come to rest within ${waitLimitMs / 1_000} s`);
}

function report({ first, rebuilt, left, back }: Walked): string[] {
  const renders = (seen: Seen) => seen.rendered.rows;
  if (Math.min(...rebuilt.map(renders), renders(first)) < rebuiltMin) {
    throw new Error('the counter did not see the rows of a list that was built');
  }
  const row = (name: string, seen: readonly Seen[]) => {
    const each = (of: (one: Seen) => number, digits = 0) => spread(seen.map(of), digits);
    const places = ['rows', 'list', 'frame'] as const;
    console.log(`  ${name}, ${seen.length} times`);
    if (seen !== left) console.log(`    click to painted, ms         ${each((one) => one.paintedAfterMs, 1)}`);
    console.log(`    commits                      ${each((one) => one.commits)}`);
    for (const place of places) {
      const within = { rows: 'its rows', list: 'the rest of its page', frame: 'the frame' }[place];
      console.log(
        `    ${within.padEnd(28)} ${each((one) => one.rendered[place])} components rendered, ${each((one) => one.changed[place])} changes of the document`,
      );
    }
  };
  console.log(`tab of a list of ${rowCount} rows; median (least to most)`);
  row('first visit', [first]);
  row('tab refreshed', rebuilt);
  row('left for another tab, out of sight', left);
  row('switched back', back);
  const over = (baselineMs: number) => spread(back.map((one) => one.paintedAfterMs / baselineMs));
  console.log(`  time over the first visit      ${over(first.paintedAfterMs)}`);
  console.log(`  time over a refreshed tab      ${over(median(rebuilt.map((one) => one.paintedAfterMs)))}`);
  const total = (of: (one: Seen) => number) => back.reduce((sum, one) => sum + of(one), 0);
  const rendered = total(renders);
  const changed = total((one) => one.changed.rows);
  return rendered + changed === 0
    ? []
    : [`tab-switch: ${rendered} components of rows rendered and ${changed} changes in them, bound 0`];
}
