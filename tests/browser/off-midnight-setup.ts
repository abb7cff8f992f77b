import { inject } from 'vitest';
import { setClockAhead } from './off-midnight.ts';

setClockAhead(inject('clockAheadMs'));
