import { dayMs, type Instant, instant, parseShanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';

/** The last millisecond of the day in China. */
export function endOfDay(at: Instant): Instant {
  return instant(shanghaiDayStart(at) + dayMs - 1);
}

/** The last millisecond of a day, or of the month that begins with it. */
export function endOfPeriod(unit: 'day' | 'month', day: string): Instant {
  const [year = 1970, month = 1] = day.split('-').map(Number);
  const last = unit === 'day' ? day : new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return endOfDay(parseShanghaiDate(last) ?? instant(0));
}
