import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { markText } from './charge-chart.ts';

test('two marks of the time axis never have the same text, however short the charge is', () => {
  const fromMs = Date.parse('2026-11-20T08:42:00.000Z');
  for (const [spanMs, gapMs] of [
    [2 * minuteMs, 20 * secondMs],
    [9 * minuteMs, 30 * secondMs],
    [60 * minuteMs, 5 * minuteMs],
  ] as const) {
    const marks = Array.from({ length: spanMs / gapMs }, (_, index) => markText(fromMs + index * gapMs, spanMs));
    expect(new Set(marks).size).toBe(marks.length);
  }
  expect(markText(fromMs, 60 * minuteMs)).toBe('16:42');
});
