import type { ConnectorGroup } from './states.ts';

export const siteMapStates = ['free', 'charging', 'busy', 'fault', 'offline'] as const;
export type SiteMapState = (typeof siteMapStates)[number];

/** A site's colour: trouble first, then what a driver would find. A site without an online port is offline. */
export function siteMapState({ free, occupied, fault }: Readonly<Record<ConnectorGroup, number>>): SiteMapState {
  if (free + occupied + fault === 0) return 'offline';
  if (fault > 0) return 'fault';
  if (free === 0) return 'busy';
  return occupied > 0 ? 'charging' : 'free';
}
