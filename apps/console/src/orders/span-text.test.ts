import { expect, test } from 'vitest';
import { spanText } from './span-text.ts';

test('a span within one day names the day once, in Shanghai', () => {
  expect(spanText('2026-11-20T22:40:00.000Z', '2026-11-20T23:00:00.000Z')).toBe('11-21 06:40–07:00');
});

test('a span within one minute shows seconds, so that it does not look empty', () => {
  expect(spanText('2026-11-20T06:00:03.000Z', '2026-11-20T06:00:41.000Z')).toBe('11-20 14:00:03–14:00:41');
});

test('a bill line that ends with the day ends at 24:00, one that goes on names the next day', () => {
  expect(spanText('2026-11-21T15:00:00.000Z', '2026-11-21T16:00:00.000Z')).toBe('11-21 23:00–24:00');
  expect(spanText('2026-11-21T15:00:00.000Z', '2026-11-21T16:30:00.000Z')).toBe('11-21 23:00–11-22 00:30');
});
