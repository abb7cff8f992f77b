import { expect, test } from 'vitest';
import { endText } from './say-story.ts';

test('the end of what lasted past midnight has its day', () => {
  expect(endText('2026-11-28T15:58:00.000Z', '2026-11-28T15:59:59.000Z')).toBe('23:59:59');
  expect(endText('2026-11-28T15:58:00.000Z', '2026-11-28T19:12:00.000Z')).toBe('2026-11-29 03:12:00');
});
