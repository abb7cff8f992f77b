import type { reportPeriod } from '@voltdeck/contract/report-schedule';
import { dayMs, type Instant, instant, parseShanghaiDate, toIso } from '@voltdeck/units/instant';
import { exportableLists } from '../tasks/exportable-lists.ts';
import type { ReportOrder } from '../tasks/report-queries.ts';

/**
 * A report's saved filter as the export of its list takes it: with the report's days in place of its own, where the list
 * has a period. A list of how things stand has the end of one alone.
 */
export function queryOf(
  { list, query }: Pick<ReportOrder, 'list' | 'query'>,
  { from, to }: ReturnType<typeof reportPeriod>,
): Record<string, string> {
  if (list === null) return { ...query };
  const { shape } = exportableLists[list].route.query as unknown as { shape: object };
  const ends = { from: toIso(startOf(from)), to: toIso(instant(startOf(to) + dayMs - 1)) };
  const period = Object.entries(ends).filter(([name]) => name in shape);
  return { ...query, ...Object.fromEntries(period) };
}

const startOf = (day: string) => parseShanghaiDate(day) as Instant;
