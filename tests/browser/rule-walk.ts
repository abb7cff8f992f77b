import type { Language } from '@voltdeck/journeys/api';
import { type Product, startProduct } from '@voltdeck/journeys/product';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BrowserPage, browserPage } from './browser-page.ts';
import { newToken } from './console-page.ts';

export type OpenOptions = {
  /** Chinese unless told otherwise; null has nothing chosen. */
  language?: Language | null;
  /** Null for nobody; the administrator unless told otherwise. */
  token?: string | null;
  width?: number;
  /** What goes wrong in this page is what the test is about. */
  isTroubled?: boolean;
};

/** What the tests that walk the specification rule by rule share: one real server, one profile, a page for each test. */
export type RuleWalk = {
  readonly product: Product;
  readonly database: Database;
  /** The administrator's. */
  readonly token: string;
  /** A new page at a path of the console, with nothing left of the tests before. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  cookies(): Promise<Record<string, string>>;
};

const desk = { width: 1440, height: 900 };

/** To be called once in a file. `prepare` runs when the server is there. */
export function ruleWalk(prepare: (walk: RuleWalk) => Promise<void> = async () => undefined): RuleWalk {
  let product: Product;
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
      // Storage of a window is its own: where it is empty, the console begins for the first time.
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
    product = await startProduct(database.url);
    token = await newToken(product.url);
    shared = await browserPage({ ...desk, reducedMotion: true });
    await prepare(walk);
  });
  afterEach(async () => {
    for (const page of open.splice(0)) await page.close();
    // A refusal is an answer like others; the browser only notes it.
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
