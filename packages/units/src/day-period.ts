import { dayMs, type Instant, instant, parseIso, shanghaiDate } from './instant.ts';

/** Days in China, both included: "2026-11-01". */
export type DayPeriod = { fromOn: string; toOn: string };

/**
 * The days that a filter's instants touch: the last ones up to its end, or up to today, where it names no beginning.
 */
export function daysOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  at: Instant,
  daysByDefault: number,
): DayPeriod {
  const last = (to === undefined ? null : parseIso(to)) ?? at;
  const first = (from === undefined ? null : parseIso(from)) ?? instant(last - (daysByDefault - 1) * dayMs);
  return { fromOn: shanghaiDate(first), toOn: shanghaiDate(last) };
}
