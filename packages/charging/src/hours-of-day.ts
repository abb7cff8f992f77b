/** A part of every day in minutes from midnight of Asia/Shanghai, `from` included; one that ends earlier crosses midnight. */
export type HoursOfDay = { fromMinute: number; toMinute: number };

/** Parts of the day that one text may name. */
export const hoursOfDayMax = 8;

const minutesPerHour = 60;
const minutesPerDay = 24 * minutesPerHour;

/**
 * Parts of the day as people write them: "08:00-20:00, 22:00-06:00", with any dash and comma. Empty for a text without
 * any; null where one cannot be read, is empty or there are more than `hoursOfDayMax`.
 */
export function parseHoursOfDay(text: string): HoursOfDay[] | null {
  const parts = text.split(/[,，;；、\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  if (parts.length > hoursOfDayMax) return null;
  const hours = parts.map(parseOne);
  return hours.every((one) => one !== null) ? hours : null;
}

function parseOne(text: string): HoursOfDay | null {
  const [, fromHour, fromMinutes, toHour, toMinutes] =
    /^(\d{1,2})[:：](\d{2})\s*[-–—~～至]\s*(\d{1,2})[:：](\d{2})$/.exec(text) ?? [];
  const fromMinute = minuteOf(fromHour, fromMinutes);
  const toMinute = minuteOf(toHour, toMinutes);
  if (fromMinute === null || toMinute === null || fromMinute === minutesPerDay || fromMinute === toMinute) return null;
  return { fromMinute, toMinute };
}

/** Midnight at the end of a day is "24:00". */
function minuteOf(hour: string | undefined, minutes: string | undefined): number | null {
  const minute = Number(hour) * minutesPerHour + Number(minutes);
  return Number(minutes) < minutesPerHour && minute <= minutesPerDay ? minute : null;
}

/** The same as one text: "08:00-20:00, 22:00-06:00". */
export function hoursOfDayText(hours: readonly HoursOfDay[]): string {
  return hours.map(({ fromMinute, toMinute }) => `${timeText(fromMinute)}-${timeText(toMinute)}`).join(', ');
}

function timeText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / minutesPerHour))}:${two(minute % minutesPerHour)}`;
}

/** Whether a minute of the day, 0 to 1439, lies in one of the parts; without any, every minute does. */
export function isWithinHours(hours: readonly HoursOfDay[], minute: number): boolean {
  if (hours.length === 0) return true;
  return hours.some(({ fromMinute, toMinute }) =>
    fromMinute < toMinute ? fromMinute <= minute && minute < toMinute : fromMinute <= minute || minute < toMinute,
  );
}
