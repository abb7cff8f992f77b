import { dayMs } from '@voltdeck/units/instant';
import { language } from '../language.ts';

/** 2024 began with a Monday. */
const mondayMs = Date.UTC(2024, 0, 1);
const formatOf = (weekday: 'short' | 'long') => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
const formats = { short: formatOf('short'), long: formatOf('long') };

/** "Mon", "周一"; from 1, Monday, to 7. Its long form is "Monday", "星期一". */
export function weekdayText(weekday: number, length: 'short' | 'long' = 'short'): string {
  return formats[length].format(mondayMs + (weekday - 1) * dayMs);
}

/** "Mon", "周一" of "2026-11-30". */
export function weekdayOfDay(day: string): string {
  return formats.short.format(Date.parse(`${day}T00:00:00Z`));
}
