import { dayMs } from './instant.ts';

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A day like "2026-11-21" so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return dayOf(startOf(day) + days * dayMs);
}

/** How many days `last` is after `first`; negative where it is before. */
export function daysFromTo(first: string, last: string): number {
  return (startOf(last) - startOf(first)) / dayMs;
}

/** From 1, Monday, to 7. */
export function weekdayOf(day: string): number {
  return new Date(startOf(day)).getUTCDay() || 7;
}

/** The first day of a day's month, or of one so many months later. */
export function firstOfMonth(day: string, later = 0): string {
  return dayOf(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + later, 1));
}

/** How many months the month of `last` is after that of `first`. */
export function monthsFromTo(first: string, last: string): number {
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthOf(last) - monthOf(first);
}

export function lastOfMonth(day: string): string {
  return addDays(firstOfMonth(day, 1), -1);
}
