import { hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test, vi } from 'vitest';

vi.mock('../language.ts', () => ({ language: 'en' }));
const { instantText } = await import('./instants.ts');

test('a recent instant has no abbreviations with full stops in English', () => {
  const now = instant(Date.UTC(2026, 10, 21, 7, 0, 0));
  expect(instantText(instant(now - minuteMs), now)).toBe('1 min ago');
  expect(instantText(instant(now - 3 * hourMs), now)).toBe('3 hr ago');
});
