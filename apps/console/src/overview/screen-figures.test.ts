import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import { parseIso } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { busiestSites, clockText, tallyStates } from './screen-figures.ts';

const site = (id: number, occupied: number, free: number, state: SiteMapState = 'charging') => ({
  id,
  state,
  connectors: { free, occupied, fault: 0, offline: 0 },
  connectorCount: free + occupied,
});

test('the busiest sites have the most occupied ports, then the fewest free ones', () => {
  const sites = [site(1, 2, 0), site(2, 5, 5), site(3, 0, 9), site(4, 5, 1), site(5, 2, 0)];
  expect(busiestSites(sites, 3).map(({ id }) => id)).toEqual([4, 2, 1]);
  expect(busiestSites([], 3)).toEqual([]);
});

test('every state of sites is counted, including those with no site', () => {
  expect(tallyStates([site(1, 1, 1, 'fault'), site(2, 1, 1, 'fault')])).toEqual({
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
