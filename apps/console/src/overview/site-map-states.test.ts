import { type SiteMapState, siteMapStates } from '@voltdeck/charging/site-map-state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ringSlices, type SiteOnMap, siteStates, stateShapes, tallySites, tellingState } from './site-map-states.ts';

let lastId = 0;

function site(state: SiteMapState, ports: Partial<SiteOnMap> = {}): SiteOnMap {
  lastId += 1;
  return {
    id: lastId,
    name: `Site ${lastId}`,
    longitude: 120,
    latitude: 30,
    regionCode: '330106',
    state,
    freeCount: 1,
    connectorCount: 4,
    connectors: { free: 1, occupied: 3, fault: 0, offline: 0 },
    ...ports,
  };
}

const anySites = fc.array(fc.constantFrom(...siteStates), { minLength: 1, maxLength: 200 });

test('the states are the contract’s, each with a shape of its own', () => {
  expect([...siteStates]).toEqual([...siteMapStates]);
  expect(new Set(siteStates.map((state) => stateShapes[state])).size).toBe(siteStates.length);
});

test('a tally counts sites by state and adds up their ports', () => {
  const tally = tallySites([
    site('free', { freeCount: 4, connectorCount: 4 }),
    site('fault', { freeCount: 0, connectorCount: 2 }),
    site('free', { freeCount: 1, connectorCount: 6 }),
  ]);
  expect(tally).toEqual({
    sites: 3,
    byState: { free: 2, charging: 0, busy: 0, fault: 1, offline: 0 },
    freeCount: 5,
    connectorCount: 12,
  });
});

describe('the telling state of a group', () => {
  test.each<[SiteMapState, SiteMapState[]]>([
    ['fault', ['free', 'free', 'free', 'offline', 'fault']],
    ['offline', ['free', 'free', 'free', 'busy', 'offline']],
    ['free', ['free', 'free', 'charging']],
    ['charging', ['free', 'charging', 'charging']],
    ['busy', ['free', 'busy']],
    ['charging', ['free', 'charging']],
  ])('the telling state of a group is %s for %j', (state, states) => {
    expect(tellingState(tallySites(states.map((each) => site(each))))).toBe(state);
  });
});

describe('a ring', () => {
  test('a ring of states is full, without gaps or overlaps', () => {
    fc.assert(
      fc.property(anySites, (states) => {
        const slices = ringSlices(tallySites(states.map((state) => site(state))));
        expect(slices[0]?.from).toBe(0);
        expect(slices.at(-1)?.to).toBe(1);
        for (const [index, slice] of slices.entries()) {
          expect(slice.to).toBeGreaterThan(slice.from);
          if (index > 0) expect(slice.from).toBe(slices[index - 1]?.to);
        }
        expect(new Set(slices.map(({ state }) => state))).toEqual(new Set(states));
      }),
    );
  });

  test('a ring of states shows one faulty site among a thousand', () => {
    const slices = ringSlices(tallySites([...Array.from({ length: 999 }, () => site('free')), site('fault')]));
    const fault = slices.find(({ state }) => state === 'fault');
    expect(fault && fault.to - fault.from).toBeGreaterThan(0.03);
  });
});
