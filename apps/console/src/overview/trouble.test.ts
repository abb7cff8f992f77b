import type { MapSite } from '@voltdeck/contract/overview';
import { describe, expect, test } from 'vitest';
import { byTrouble, compare, connectorCount, matchesText } from './trouble.ts';

function site(overrides: Partial<MapSite>): MapSite {
  return {
    id: 1,
    name: 'A',
    regionCode: '110105',
    address: '',
    longitude: 116,
    latitude: 39,
    state: 'free',
    connectors: { free: 1, occupied: 0, fault: 0, offline: 0 },
    ...overrides,
  };
}

describe('sites by trouble', () => {
  test('faults come first, then offline, full, charging and free sites', () => {
    const states = ['free', 'charging', 'busy', 'offline', 'fault'] as const;
    const sorted = states.map((state) => site({ state })).sort(byTrouble('en'));
    expect(sorted.map(({ state }) => state)).toEqual(['fault', 'offline', 'busy', 'charging', 'free']);
  });

  test('of two faulty sites the one with more faulty ports comes first, and the name breaks ties', () => {
    const many = site({ state: 'fault', name: 'B', connectors: { free: 0, occupied: 0, fault: 3, offline: 0 } });
    const few = site({ state: 'fault', name: 'A', connectors: { free: 0, occupied: 0, fault: 1, offline: 0 } });
    expect([few, many].sort(byTrouble('en'))).toEqual([many, few]);
    expect([site({ name: 'S10' }), site({ name: 'S2' })].sort(byTrouble('en')).map(({ name }) => name)).toEqual([
      'S2',
      'S10',
    ]);
  });

  test('every port of a site counts, whatever its state', () => {
    expect(connectorCount({ connectors: { free: 1, occupied: 2, fault: 3, offline: 4 } })).toBe(10);
  });

  test('a search for sites wants every word, in name or address, in any case', () => {
    const place = { name: 'North Station Hub', address: '12 River Road' };
    expect(matchesText(place, 'hub river')).toBe(true);
    expect(matchesText(place, 'hub lake')).toBe(false);
    expect(matchesText(place, '')).toBe(true);
  });
});

describe('comparison with yesterday', () => {
  test('a comparison with yesterday is given in whole percent, and not at all without a yesterday', () => {
    expect(compare(112, 100)).toEqual({ kind: 'up', percent: 12 });
    expect(compare(50, 100)).toEqual({ kind: 'down', percent: 50 });
    expect(compare(1001, 1000)).toEqual({ kind: 'same' });
    expect(compare(5, 0)).toEqual({ kind: 'none' });
  });
});
