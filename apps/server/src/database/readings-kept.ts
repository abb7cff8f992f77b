import { keptDays } from './kept-days.ts';
import { wholeNumber } from './parameter.ts';

/** The parameter for how many days readings and BMS messages are kept. */
export const readingsKept = wholeNumber({
  key: 'readings_kept_days',
  defaultValue: keptDays.readings,
  min: 30,
  max: 3_650,
});
