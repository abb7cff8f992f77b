import type { SiteState } from '@voltdeck/charging/states';
import type { Tone } from '../ui/state-colours.ts';

export const siteStateTones: Readonly<Record<SiteState, Tone>> = {
  normal: 'free',
  building: 'occupied',
  maintenance: 'occupied',
  closed_offline: 'offline',
  closed_for_business: 'offline',
  unknown: 'offline',
};
