import { wholeNumber } from './parameter.ts';

/** How far billed energy and a meter may differ: the larger of both. */
export const energyTolerance = {
  wh: wholeNumber({ key: 'reconciliation_tolerance_wh', defaultValue: 100, max: 100_000 }),
  /** In hundredths of a percent of the billed energy. */
  e4: wholeNumber({ key: 'reconciliation_tolerance_e4', defaultValue: 100, max: 10_000 }),
} as const;
