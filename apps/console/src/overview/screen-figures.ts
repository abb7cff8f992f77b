import type { MapSite } from '@voltdeck/contract/overview';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { type SiteState, siteStates } from './site-map-states.ts';
import { connectorCount } from './trouble.ts';

/** The sites with the most occupied ports, at most `max`, without those where nobody is charging. */
export function busiestSites(sites: readonly MapSite[], max: number): MapSite[] {
  const share = (site: MapSite) => site.connectors.occupied / connectorCount(site);
  return sites
    .filter((site) => site.connectors.occupied > 0)
    .sort((a, b) => b.connectors.occupied - a.connectors.occupied || share(b) - share(a) || a.id - b.id)
    .slice(0, max);
}

/** The number of sites per state; every state is present. */
export function tallyStates(sites: readonly Pick<MapSite, 'state'>[]): Record<SiteState, number> {
  const tally = Object.fromEntries(siteStates.map((state) => [state, 0])) as Record<SiteState, number>;
  for (const { state } of sites) tally[state] += 1;
  return tally;
}

/** Date with weekday, and time to the second, in Asia/Shanghai. */
export function clockText(at: Instant, language: string): [day: string, time: string] {
  const [day = '', time = ''] = shanghaiDateTime(at).split(' ');
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(at);
  return [`${day} ${weekday}`, time];
}
