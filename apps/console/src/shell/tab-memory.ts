import { keepText } from '../keep-text.ts';
import { language } from '../language.ts';
import type { Tab } from './tabs.ts';

/** The open pages of a window, as stored across a reload. */
export type KeptTabs = { tabs: readonly Tab[]; titles: Readonly<Record<string, string>> };

const keptKey = 'voltdeck-tabs';
const titleLengthMax = 200;

function isKeptTab(value: unknown): value is Pick<Tab, 'key' | 'path' | 'search'> {
  if (typeof value !== 'object' || value === null) return false;
  const { key, path, search } = value as Partial<Record<keyof Tab, unknown>>;
  return typeof key === 'string' && typeof path === 'string' && typeof search === 'string';
}

/** Stored for one user and one language, since titles are in that language. */
export function tabsAsText(userId: number, kept: KeptTabs): string {
  const tabs = kept.tabs.map(({ key, path, search }) => ({ key, path, search }));
  return JSON.stringify({ userId, language, tabs, titles: kept.titles });
}

/**
 * The tabs that this user had open and may still open, none of them rendered yet. Titles in another language are
 * dropped; the pages set them again.
 */
export function tabsFromText(
  text: string | null,
  userId: number,
  allowed: ReadonlySet<string>,
  isAffixed: (path: string) => boolean,
): KeptTabs {
  const none: KeptTabs = { tabs: [], titles: {} };
  if (text === null) return none;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Unreadable text under our key counts as nothing stored.
    return none;
  }
  if (typeof value !== 'object' || value === null || !('userId' in value) || value.userId !== userId) return none;
  const given = 'tabs' in value && Array.isArray(value.tabs) ? value.tabs.filter(isKeptTab) : [];
  const tabs = given
    .filter(({ path }) => allowed.has(path))
    .map(({ key, path, search }) => ({ key, path, search, isAffixed: isAffixed(path), life: 0, seen: 0 }));
  const isOurs = 'language' in value && value.language === language;
  const titles = isOurs && 'titles' in value && typeof value.titles === 'object' ? (value.titles ?? {}) : {};
  const keys = new Set(tabs.map(({ key }) => key));
  return {
    tabs,
    titles: Object.fromEntries(
      Object.entries(titles).filter(
        ([key, title]) => keys.has(key) && typeof title === 'string' && title.length <= titleLengthMax,
      ),
    ),
  };
}

export function keepTabs(userId: number, kept: KeptTabs): void {
  keepText(sessionStorage, keptKey, tabsAsText(userId, kept));
}

export function readTabs(): string | null {
  return sessionStorage.getItem(keptKey);
}

export function forgetTabs(): void {
  sessionStorage.removeItem(keptKey);
}
