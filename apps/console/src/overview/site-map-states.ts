import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import type { ConnectorGroup } from '@voltdeck/charging/states';
import type { Tone } from '../ui/state-colours.ts';

/** The tone of each state. A busy site is one whose ports are all occupied. */
export const siteTones: Readonly<Record<SiteMapState, Tone>> = {
  free: 'free',
  charging: 'charging',
  busy: 'occupied',
  fault: 'fault',
  offline: 'offline',
};

/** Every state, in the order of rings and legends. */
export const siteStates = Object.keys(siteTones) as SiteMapState[];

/** A site for the map. Coordinates are WGS-84 degrees. */
export interface SiteOnMap {
  id: number;
  name: string;
  longitude: number;
  latitude: number;
  regionCode: string;
  state: SiteMapState;
  /** Ports that a driver could use now, 0 to `connectorCount`. */
  freeCount: number;
  connectorCount: number;
  connectors: Readonly<Record<ConnectorGroup, number>>;
  /** The current price in words, such as ¥1.20/kWh. */
  priceText?: string;
}

/** Totals of several sites. */
export interface SiteTally {
  sites: number;
  byState: Record<SiteMapState, number>;
  freeCount: number;
  connectorCount: number;
}

export function tallySites(sites: Iterable<SiteOnMap>): SiteTally {
  const tally: SiteTally = {
    sites: 0,
    byState: { free: 0, charging: 0, busy: 0, fault: 0, offline: 0 },
    freeCount: 0,
    connectorCount: 0,
  };
  for (const site of sites) {
    tally.sites += 1;
    tally.byState[site.state] += 1;
    tally.freeCount += site.freeCount;
    tally.connectorCount += site.connectorCount;
  }
  return tally;
}

/**
 * The state that says most about a group: fault, then offline, because someone has to go there; otherwise the most
 * frequent state, or the busier of two equals.
 */
export function tellingState({ byState }: SiteTally): SiteMapState {
  if (byState.fault > 0) return 'fault';
  if (byState.offline > 0) return 'offline';
  return (['busy', 'charging', 'free'] as const).reduce((most, state) =>
    byState[state] > byState[most] ? state : most,
  );
}

/**
 * The shapes of the console's tones, bolder, for marks drawn without React. The box is 16 by 16, filled by the even-odd
 * rule. They make states readable without colour.
 */
export const stateShapes: Readonly<Record<SiteMapState, string>> = {
  free: 'M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6Zm0 2.2a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Z',
  charging: 'M9.4 1.2 3.4 9.1h3.5l-.9 5.7 6.6-8.3H8.8Z',
  busy: 'M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6Z',
  fault: 'M8 1.4 15.2 14H.8ZM7.15 5.8v4.3h1.7V5.8Zm0 5.4v1.6h1.7v-1.6Z',
  offline: 'M4.3 2.9 2.9 4.3 6.6 8l-3.7 3.7 1.4 1.4L8 9.4l3.7 3.7 1.4-1.4L9.4 8l3.7-3.7-1.4-1.4L8 6.6Z',
};

/** One slice of a cluster's ring. */
export interface RingSlice {
  state: SiteMapState;
  /** Fractions of the ring, 0 to 1, clockwise from the top. */
  from: number;
  to: number;
}

/** The smallest visible slice: one faulty site among a thousand must not vanish. */
const sliceMin = 0.04;

/** Divides a ring among the states present, in the order of `siteStates`; each gets at least `sliceMin`. */
export function ringSlices({ sites, byState }: SiteTally): RingSlice[] {
  const present = siteStates.filter((state) => byState[state] > 0);
  const shares = present.map((state) => Math.max(byState[state] / sites, sliceMin));
  const sum = shares.reduce((total, share) => total + share, 0);
  let from = 0;
  return present.map((state, index) => {
    const to = index === present.length - 1 ? 1 : from + (shares[index] ?? 0) / sum;
    const slice = { state, from, to };
    from = to;
    return slice;
  });
}
