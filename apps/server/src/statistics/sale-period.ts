import type { ComparedWith } from '@voltdeck/contract/statistics';
import { addDays, firstOfMonth, lastOfMonth, monthsFromTo } from '@voltdeck/units/day';
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  parseIso,
  parseShanghaiDate,
  shanghaiDate,
  shanghaiDayStart,
} from '@voltdeck/units/instant';

/** Charges that ended from `from` on and before `until`. */
export type SalePeriod = { from: Instant; until: Instant };

/** The beginning of a moment: of a day in China, or the instant itself. */
const beginningOf = (moment: string): Instant => (parseIso(moment) ?? parseShanghaiDate(moment)) as Instant;

/** The first instant after a moment: instants of filters include their own millisecond. */
function endOf(moment: string): Instant {
  const at = parseIso(moment);
  return at === null ? instant((parseShanghaiDate(moment) as Instant) + dayMs) : instant(at + 1);
}

/** Nothing ends later, and the days after it are no four-digit years. */
const lastUntil = instant(Date.UTC(9998, 11, 31));

/** The period of a filter: the last days up to its end, or up to the end of today, where it names no beginning. */
export function periodOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  at: Instant,
  daysByDefault: number,
): SalePeriod {
  const until = instant(Math.min(lastUntil, to === undefined ? dayEnd(at) : endOf(to)));
  const first =
    from === undefined
      ? instant(dayEnd(instant(until - 1)) - daysByDefault * dayMs)
      : instant(Math.min(lastUntil, beginningOf(from)));
  return { from: first, until: instant(Math.max(first, until)) };
}

const dayEnd = (at: Instant) => instant(shanghaiDayStart(at) + dayMs);

/** Whether a filter ends before it begins. */
export const isReversed = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from !== undefined && to !== undefined && beginningOf(from) >= endOf(to);

/** The part of a period that is over. */
export const overUntil = ({ from, until }: SalePeriod, at: Instant): Instant =>
  instant(Math.max(from, Math.min(until, at)));

/** What a period is compared with; of one that runs, the part up to the same time. */
export function periodBefore(period: SalePeriod, at: Instant, by: ComparedWith): SalePeriod {
  if (by === 'month') return monthsBefore(period, at);
  const length = period.until - period.from;
  return { from: instant(period.from - length), until: instant(overUntil(period, at) - length) };
}

function monthsBefore(period: SalePeriod, at: Instant): SalePeriod {
  const over = overUntil(period, at);
  const firstDay = shanghaiDate(period.from);
  const months = 1 + monthsFromTo(firstDay, shanghaiDate(instant(Math.max(period.from, period.until - 1))));
  const lastDay = shanghaiDate(instant(Math.max(period.from, over - 1)));
  const isWhole = period.from === startOfDay(firstOfMonth(firstDay)) && over === startOfDay(firstOfMonth(lastDay, 1));
  const from = inMonthBefore(firstDay, months);
  const until = inMonthBefore(lastDay, months);
  return {
    from: from === null ? monthEnd(firstDay, months) : instant(from + (period.from - startOfDay(firstDay))),
    until: isWhole || until === null ? monthEnd(lastDay, months) : instant(until + (over - startOfDay(lastDay))),
  };
}

const startOfDay = (day: string) => parseShanghaiDate(day) as Instant;
const monthEnd = (day: string, months: number) => startOfDay(firstOfMonth(day, 1 - months));

/** The beginning of the same day of a month before; null where that month is shorter. */
function inMonthBefore(day: string, months: number): Instant | null {
  const first = firstOfMonth(day, -months);
  const same = addDays(first, Number(day.slice(8)) - 1);
  return same > lastOfMonth(first) ? null : startOfDay(same);
}

/**
 * A period as whole days (or hours), which the kept sums have, and what is left at its ends, which is added up from the
 * orders. What has not come yet needs no orders: a period that ends in the future ends with its day.
 */
export type CutPeriod = { whole: SalePeriod; edges: readonly SalePeriod[] };

export function cutPeriod({ from, until }: SalePeriod, at: Instant, unit: 'day' | 'hour'): CutPeriod {
  const startOf = unit === 'day' ? shanghaiDayStart : (moment: Instant) => instant(moment - (moment % hourMs));
  const unitMs = unit === 'day' ? dayMs : hourMs;
  const ceiling = (moment: Instant) => (startOf(moment) === moment ? moment : instant(startOf(moment) + unitMs));
  const wholeFrom = ceiling(from);
  const wholeUntil = until > at ? ceiling(until) : startOf(until);
  if (wholeFrom >= wholeUntil) return { whole: { from, until: from }, edges: [{ from, until }] };
  const edges = [
    { from, until: wholeFrom },
    { from: wholeUntil, until },
  ];
  return { whole: { from: wholeFrom, until: wholeUntil }, edges: edges.filter((edge) => edge.from < edge.until) };
}
