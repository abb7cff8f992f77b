import { type listRegionSites, regionSitesMax, regionSitesUsual, summaryKeptMs } from '@voltdeck/contract/overview';
import type { QueryOf } from '@voltdeck/contract/route';
import type { AnyRoute } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';

type Query = Partial<QueryOf<typeof listRegionSites>>;

/** The part of an address's query without what nobody gave. */
export const given = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));

/** The count for the next stretch of a list of sites, or null when it cannot grow. */
export function nextCount(shown: number, matching: number): number | null {
  return shown >= matching || shown >= regionSitesMax ? null : Math.min(shown + regionSitesUsual, regionSitesMax);
}

/** Minimum interval between fetches while ports keep changing. */
const refetchGapMs = 10_000;

/** Fetches answers about the ports of many sites again after events, as rarely as the server reads them. */
export function useMovingAnswers(...routes: readonly AnyRoute[]): void {
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(...routes), refetchGapMs, summaryKeptMs);
  useConsoleEvents('connector-changed', askAgain);
  useConsoleEvents('station-changed', askAgain);
}
