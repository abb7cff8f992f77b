import type { DayState, DifferenceState, ReconciliationState } from '@voltdeck/contract/reconciliation';
import type { Tone } from '../ui/state-colours.ts';

export const reconciliationTones: Readonly<Record<ReconciliationState, Tone>> = {
  waiting: 'offline',
  agrees: 'free',
  differs: 'occupied',
};

export const dayTones: Readonly<Record<DayState, Tone>> = {
  open: 'offline',
  waiting: 'offline',
  differs: 'occupied',
  agrees: 'free',
  sealed: 'charging',
};

export const differenceTones: Readonly<Record<DifferenceState, Tone>> = {
  open: 'occupied',
  taken: 'charging',
  done: 'free',
  settled: 'free',
};
