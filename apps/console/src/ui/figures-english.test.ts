import { expect, test, vi } from 'vitest';

vi.mock('../language.ts', () => ({ language: 'en' }));

test('a long duration is told in English hours', async () => {
  const { durationText } = await import('./figures.ts');
  expect(durationText(123_456.7 * 3_600_000)).toBe('123,457 hours');
  expect(durationText(999 * 3_600_000)).toBe('999:00:00');
});
