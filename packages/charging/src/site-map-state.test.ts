import { expect, test } from 'vitest';
import { siteMapState } from './site-map-state.ts';

test.each([
  [{ free: 2, occupied: 1, fault: 0, offline: 1 }, 'charging'],
  [{ free: 2, occupied: 0, fault: 0, offline: 1 }, 'free'],
  [{ free: 0, occupied: 3, fault: 0, offline: 0 }, 'busy'],
  [{ free: 5, occupied: 3, fault: 1, offline: 0 }, 'fault'],
  [{ free: 0, occupied: 0, fault: 0, offline: 4 }, 'offline'],
  [{ free: 0, occupied: 0, fault: 0, offline: 0 }, 'offline'],
] as const)('a site with the ports %j is %s', (tally, state) => {
  expect(siteMapState(tally)).toBe(state);
});
