import type { Language } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BrowserPage, browserPage } from './browser-page.ts';
import { newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

export type OpenOptions = {
  /** Chinese by default; null leaves it unset. */
  language?: Language | null;
  /** The administrator's by default; null for none. */
  token?: string | null;
  width?: number;
  /** The test expects errors in this page. */
  isTroubled?: boolean;
};

/** What the tests of the specification's rules share: one real server, one profile, and a page per test. */
export type RuleWalk = {
  readonly product: HostedProduct;
  readonly database: Database;
  /** The administrator's token. */
  readonly token: string;
  /** Opens a path of the console in a new page without state from earlier tests. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  cookies(): Promise<Record<string, string>>;
};

const desk = { width: 1440, height: 900 };

/** Call this once per file. `prepare` runs when the server is ready. */
export function ruleWalk(prepare: (walk: RuleWalk) => Promise<void> = async () => undefined): RuleWalk {
  let product: HostedProduct;
  let database: Database;
  let token: string;
  let shared: BrowserPage;
  const open: Page[] = [];
  let isTroubled = false;
  const walk: RuleWalk = {
    get product() {
      return product;
    },
    get database() {
      return database;
    },
    get token() {
      return token;
    },
    async open(path, options = {}) {
      const { language = 'zh-CN', width = desk.width } = options;
      isTroubled ||= options.isTroubled ?? false;
      const { context } = shared;
      const page = await context.newPage();
      open.push(page);
      shared.watch(page);
      await page.setViewportSize({ ...desk, width });
      // A window's own storage: when it is empty, the console starts for the first time.
      await page.addInitScript((chosen) => {
        if (sessionStorage.length > 0) return;
        sessionStorage.setItem('rule-walk', 'begun');
        localStorage.clear();
        if (chosen !== null) localStorage.setItem('change-language', chosen);
      }, language);
      await context.clearCookies();
      const shown = options.token === undefined ? token : options.token;
      if (shown !== null) await context.addCookies([{ name: 'zhny_token', value: shown, url: product.url }]);
      await page.goto(product.url + path);
      return page;
    },
    async cookies() {
      return Object.fromEntries((await shared.context.cookies()).map(({ name, value }) => [name, value]));
    },
  };
  beforeAll(async () => {
    database = await freshDatabase();
    product = await hostedProduct(database.url);
    token = await newToken(product.url);
    shared = await browserPage({ ...desk, reducedMotion: true });
    await prepare(walk);
  });
  afterEach(async () => {
    for (const page of open.splice(0)) await page.close();
    await shared.context.setOffline(false);
    // A refusal is a normal answer, which the browser also logs.
    const troubles = shared.troubles.splice(0).filter((trouble) => !/status of 4\d\d/.test(trouble));
    if (!isTroubled) expect(troubles).toEqual([]);
    isTroubled = false;
  });
  afterAll(async () => {
    await product.stop();
    expect(product.errors).toEqual([]);
  });
  return walk;
}
