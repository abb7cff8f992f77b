import { type Instant, parseShanghaiDate, shanghaiDate } from '@voltdeck/units/instant';

/** Midnight in Asia/Shanghai at which the calendar month after the one of `now` begins. */
export function nextMonth(now: Instant): Instant {
  return monthFrom(now, 1);
}

/** Midnight at which the calendar month of `now` begins in Asia/Shanghai, or one that many `months` later. */
export function monthFrom(now: Instant, months: number): Instant {
  const [year = 0, month = 0] = shanghaiDate(now).split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  const at = parseShanghaiDate(date);
  if (at === null) throw new Error(`not a date: ${date}`);
  return at;
}
