import { phrase } from '../phrases.ts';
import type { SiteMapLabels } from './site-map-words.ts';

/** The map's texts in the current language. */
export const mapLabels = (): SiteMapLabels => ({
  map: phrase('overview.map'),
  zoomIn: phrase('overview.zoomIn'),
  zoomOut: phrase('overview.zoomOut'),
  resetView: phrase('overview.resetView'),
  close: phrase('shell.close'),
  states: {
    free: phrase('overview.state.free'),
    charging: phrase('overview.state.charging'),
    busy: phrase('overview.state.busy'),
    fault: phrase('overview.state.fault'),
    offline: phrase('overview.state.offline'),
  },
  siteCount: (count) => phrase('overview.siteCount', { count }),
  freeOf: (free, count) => phrase('overview.freeOf', { free, count }),
  moreSites: (count) => phrase('overview.moreSites', { count }),
  southChinaSea: phrase('overview.southChinaSea'),
  attribution: phrase('overview.attribution'),
  loadFailed: phrase('overview.mapFailed'),
  retry: phrase('shell.retry'),
});
