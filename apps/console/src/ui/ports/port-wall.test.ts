import type { SiteId } from '@voltdeck/units/id';
import { expect, test } from 'vitest';
import { bySite, minutesSince } from './port-wall.ts';

const port = (site: number, stationNumber: string, number: number) => ({
  siteId: site as SiteId,
  siteName: `S${site}`,
  stationNumber,
  number,
});

test('sites keep the order of the list, ports are sorted by station and number', () => {
  const wall = bySite([port(2, 'B', 2), port(1, 'A', 1), port(2, 'A', 10), port(2, 'A', 2), port(2, 'B', 1)]);
  expect(wall.map((site) => [site.siteName, site.ports.map((one) => `${one.stationNumber}${one.number}`)])).toEqual([
    ['S2', ['A2', 'A10', 'B1', 'B2']],
    ['S1', ['A1']],
  ]);
});

test('minutes are whole, and never negative when a station clock is ahead', () => {
  const now = Date.parse('2026-11-21T08:00:00.000Z');
  expect(minutesSince('2026-11-21T07:57:01.000Z', now)).toBe(2);
  expect(minutesSince('2026-11-21T08:01:00.000Z', now)).toBe(0);
  expect(minutesSince(null, now)).toBeNull();
});
