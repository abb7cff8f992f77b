import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import type { SiteTally } from './site-map-states.ts';

/** All texts on the map, in the reader's language. */
export interface SiteMapLabels {
  /** The accessible name of the map. */
  map: string;
  zoomIn: string;
  zoomOut: string;
  resetView: string;
  close: string;
  states: Readonly<Record<SiteMapState, string>>;
  /** The number of sites at one place or in one group. */
  siteCount: (sites: number) => string;
  /** How many of the ports are free. */
  freeOf: (freeCount: number, connectorCount: number) => string;
  /** How many sites a shortened list leaves out. */
  moreSites: (sites: number) => string;
  southChinaSea: string;
  /** The source of the map's outlines, shown small. */
  attribution: string;
  loadFailed: string;
  retry: string;
}

/** A group of sites in one line for screen readers: 12 sites, 34 of 120 ports free, Fault 2. */
export function clusterWords(tally: SiteTally, labels: SiteMapLabels): string {
  const troubles = (['fault', 'offline'] as const)
    .filter((state) => tally.byState[state] > 0)
    .map((state) => `${labels.states[state]} ${tally.byState[state]}`);
  const { sites, freeCount, connectorCount } = tally;
  return [labels.siteCount(sites), labels.freeOf(freeCount, connectorCount), ...troubles].join(', ');
}
