import { publicHolidays } from './public-holidays.ts';

/** How a day differs from others of its weekday; `worked` is a weekend day that is worked for a holiday. */
export const dayKinds = ['ordinary', 'holiday', 'worked'] as const;
export type DayKind = (typeof dayKinds)[number];

const dayMs = 86_400_000;
const kinds = new Map<string, DayKind>(
  Object.values(publicHolidays).flatMap((holidays) =>
    holidays.flatMap(({ from, to, worked }) => [
      ...daysBetween(from, to).map((day) => [day, 'holiday'] as const),
      ...worked.map((day) => [day, 'worked'] as const),
    ]),
  ),
);

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** A date like "2026-11-21" some days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** From 1, Monday, to 7. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

export const dayKindOf = (day: string): DayKind => kinds.get(day) ?? 'ordinary';

/** Whether the holidays of a day's year are in the table. */
export const isCalendarKnown = (day: string): boolean => publicHolidays[Number(day.slice(0, 4))] !== undefined;
