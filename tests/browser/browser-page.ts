import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { setClockAhead } from './off-midnight.ts';

export interface BrowserPage {
  page: Page;
  context: BrowserContext;
  /** Unexpected errors in the page: uncaught errors, console errors, answers of 500 and above. */
  troubles: string[];
  /** Also collects errors of another page in the profile. */
  watch(page: Page): void;
  close(): Promise<void>;
}

export interface PageOptions {
  width?: number;
  height?: number;
  /** The browser's preferred language. */
  language?: 'zh-CN' | 'en';
  colours?: 'light' | 'dark';
  reducedMotion?: boolean;
  /** A screen that is touched. */
  hasTouch?: boolean;
  /** Whether the console fetches screens that nobody asked for yet; as on a line paid by its volume unless told otherwise. */
  fetchesAhead?: boolean;
}

const waitLimitMs = 30_000;
const troublesMax = 100;

let connected: Promise<Browser> | null = null;
const open = new Set<BrowserContext>();

/**
 * A page in a fresh profile (no cookies, no storage) of the run's one Chromium, 1440 × 900 by default. It closes at the
 * end of the test file, or earlier by `close()`.
 * @throws Error when the machine has no Chromium.
 */
export async function browserPage(options: PageOptions = {}): Promise<BrowserPage> {
  const browser = await connect();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    locale: options.language ?? 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: options.colours ?? 'light',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    hasTouch: options.hasTouch ?? false,
  });
  context.setDefaultTimeout(waitLimitMs);
  await context.addInitScript(setClockAhead, inject('clockAheadMs'));
  if (options.fetchesAhead !== true) {
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
  }
  open.add(context);
  const page = await context.newPage();
  const troubles: string[] = [];
  const note = (trouble: string) => {
    if (troubles.length < troublesMax) troubles.push(trouble);
  };
  const watch = (watched: Page) => {
    watched.on('pageerror', (error) => note(`uncaught: ${error.message}`));
    watched.on('console', (message) => {
      if (message.type() === 'error') note(`console: ${message.text()}`);
    });
    watched.on('response', (response) => {
      if (response.status() >= 500) note(`${response.status()} from ${response.url()}`);
    });
  };
  watch(page);
  return {
    page,
    context,
    troubles,
    watch,
    async close() {
      open.delete(context);
      await context.close();
    },
  };
}

function connect(): Promise<Browser> {
  const endpoint = inject('chromiumEndpoint');
  if (endpoint === '') {
    throw new Error('this machine has no Chromium or Chrome; install one or name it by CHROME_PATH');
  }
  connected ??= chromium.connect(endpoint);
  return connected;
}

/** Setup file of the browser project: closes the pages that a test file opened. */
export function closePagesAfterAll(): void {
  afterAll(async () => {
    for (const context of open) await context.close();
    open.clear();
    const browser = await connected;
    connected = null;
    await browser?.close();
  });
}
