import { addDays, firstOfMonth, lastOfMonth, weekdayOf } from '@voltdeck/units/day';
import { hourMs, type Instant, instant, parseShanghaiDate, shanghaiDate } from '@voltdeck/units/instant';

export const reportTurns = ['day', 'week', 'month'] as const;
export type ReportTurn = (typeof reportTurns)[number];

/** When a report is made, in China. */
export type ReportSchedule = {
  every: ReportTurn;
  /** From 1, Monday; only weekly reports have one. */
  weekday: number | null;
  /** A month without this day has its report on its last one; only monthly reports have one. */
  monthDay: number | null;
  hour: number;
};

/** Longer than from any time to the next report of any schedule. */
const daysLookedAhead = 63;

/** The first time after `after` at which a report is due. China has no summer time, so each day has every hour once. */
export function nextDueAt(schedule: ReportSchedule, after: Instant): Instant {
  const today = shanghaiDate(after);
  for (let ahead = 0; ahead < daysLookedAhead; ahead++) {
    const day = addDays(today, ahead);
    const at = instant((parseShanghaiDate(day) as Instant) + schedule.hour * hourMs);
    if (at > after && isItsDay(schedule, day)) return at;
  }
  throw new RangeError('a schedule has a day within two months');
}

function isItsDay({ every, weekday, monthDay }: ReportSchedule, day: string): boolean {
  if (every === 'week') return weekdayOf(day) === weekday;
  if (every === 'month') return Number(day.slice(8)) === Math.min(monthDay ?? 1, Number(lastOfMonth(day).slice(8)));
  return true;
}

/** The days that a report made at `at` is about: yesterday, the week from Monday before its own, the month before. */
export function reportPeriod({ every }: Pick<ReportSchedule, 'every'>, at: Instant): { from: string; to: string } {
  const today = shanghaiDate(at);
  if (every === 'week') {
    const monday = addDays(today, 1 - weekdayOf(today));
    return { from: addDays(monday, -7), to: addDays(monday, -1) };
  }
  if (every === 'month') {
    const to = addDays(firstOfMonth(today), -1);
    return { from: firstOfMonth(to), to };
  }
  return { from: addDays(today, -1), to: addDays(today, -1) };
}
