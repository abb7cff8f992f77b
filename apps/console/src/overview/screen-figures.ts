import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { type SiteOnMap, siteStates } from './site-map-states.ts';

type Counted = Pick<SiteOnMap, 'id' | 'connectors' | 'connectorCount'>;

/** The sites with the most occupied ports, at most `max`, without those where nobody is charging. */
export function busiestSites<Site extends Counted>(sites: readonly Site[], max: number): Site[] {
  const share = (site: Counted) => site.connectors.occupied / site.connectorCount;
  return sites
    .filter((site) => site.connectors.occupied > 0)
    .sort((a, b) => b.connectors.occupied - a.connectors.occupied || share(b) - share(a) || a.id - b.id)
    .slice(0, max);
}

/** The number of sites per state; every state is present. */
export function tallyStates(sites: readonly Pick<SiteOnMap, 'state'>[]): Record<SiteMapState, number> {
  const tally = Object.fromEntries(siteStates.map((state) => [state, 0])) as Record<SiteMapState, number>;
  for (const { state } of sites) tally[state] += 1;
  return tally;
}

/** Date with weekday, and time to the second, in Asia/Shanghai. */
export function clockText(at: Instant, language: string): [day: string, time: string] {
  const [day = '', time = ''] = shanghaiDateTime(at).split(' ');
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(at);
  return [`${day} ${weekday}`, time];
}
