import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from './api/token.ts';
import { keepLayout, readLayout } from './shell/layout-settings.ts';
import { keepVisit } from './shell/search-memory.ts';
import { keepTabs } from './shell/tab-memory.ts';
import { keepAppearance } from './ui/appearance.ts';

const full = {
  getItem: () => null,
  removeItem: () => undefined,
  setItem: () => {
    throw new DOMException('the quota has been exceeded', 'QuotaExceededError');
  },
};

beforeEach(() => {
  vi.stubGlobal('localStorage', full);
  vi.stubGlobal('sessionStorage', full);
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['signing in', () => keepToken('t', true)],
  ['opening a page', () => keepTabs(1, { tabs: [], titles: {} })],
  ['a search', () => keepVisit(1, { act: 'logout' })],
  ['a choice of layout', () => keepLayout(readLayout(null))],
  ['a choice of appearance', () => keepAppearance('dark')],
])('%s goes on when the storage of the browser is full', (_, act) => {
  expect(act).not.toThrow();
});
