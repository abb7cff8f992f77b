import { addDays } from '@voltdeck/units/day';
import { publicHolidays } from './public-holidays.ts';

/** How a day differs from others of its weekday; `worked` is a weekend day that is worked for a holiday. */
export const dayKinds = ['ordinary', 'holiday', 'worked'] as const;
export type DayKind = (typeof dayKinds)[number];

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

export const dayKindOf = (day: string): DayKind => kinds.get(day) ?? 'ordinary';

/** Whether the holidays of a day's year are in the table. */
export const isCalendarKnown = (day: string): boolean => publicHolidays[Number(day.slice(0, 4))] !== undefined;
