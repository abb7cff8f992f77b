import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import { screenRankings } from '@voltdeck/contract/big-screen';
import { instant, parseIso } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { clockText, nextRanking, samplePoints, tallyStates, whenText } from './screen-figures.ts';

const site = (id: number, state: SiteMapState) => ({ id, state });

test('every state of sites is counted, including those with no site', () => {
  expect(tallyStates([site(1, 'fault'), site(2, 'fault')])).toEqual({
    free: 0,
    charging: 0,
    busy: 0,
    fault: 2,
    offline: 0,
  });
});

test('the clock on the wall shows the date and time of China', () => {
  const at = parseIso('2026-11-21T16:30:05.000Z');
  expect(at).not.toBeNull();
  if (at === null) return;
  expect(clockText(at, 'en')).toEqual(['2026-11-22 Sunday', '00:30:05']);
  expect(clockText(at, 'zh-CN')).toEqual(['2026-11-22 星期日', '00:30:05']);
});

test('what happened today is told by its time, and what happened before with its day', () => {
  const now = instant(Date.parse('2026-11-21T16:30:05.000Z'));
  expect(whenText('2026-11-21T16:00:00.000Z', now)).toBe('00:00:00');
  expect(whenText('2026-11-21T15:59:59.999Z', now)).toBe('11-21 23:59');
  expect(whenText('2025-12-31T15:59:59.000Z', now)).toBe('2025-12-31');
});

test('rankings follow each other in a circle', () => {
  expect(screenRankings.map((by) => nextRanking(by, screenRankings))).toEqual(['energy', 'orders', 'receivable']);
});

test('a sample that nobody took stays a gap, and one of nothing is zero', () => {
  expect(samplePoints(1_000, 10, [58_300, null, 0])).toEqual([
    [1_000, 58.3],
    [1_010, null],
    [1_020, 0],
  ]);
});
