import type { PartnerPull } from '@voltdeck/contract/partner-pulls';
import type { Tone } from '../ui/state-colours.ts';

export const pullTones: Readonly<Record<PartnerPull['state'], Tone>> = {
  running: 'charging',
  done: 'free',
  failed: 'fault',
};
