import type { AnswerOptions } from '../api/queries.ts';
import type { DayPeriod, SalesFilter } from './statistics-view.ts';

/** What all questions of the page have in common. */
export type Asked = {
  query: DayPeriod & SalesFilter;
  options: Pick<AnswerOptions, 'keepPrevious' | 'staleMs'> & { everyMs: () => number | null };
};
