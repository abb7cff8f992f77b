/**
 * Minutes since midnight of "HH:MM", 0 to 1440, where "24:00" is the end of the day; null when it is not such a text.
 */
export function parseTimeOfDay(text: string): number | null {
  if (text === '24:00') return 1_440;
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/**
 * Minutes since midnight of a time that a tariff was checked to have, 0 to 1440.
 * @throws RangeError when it is no such text.
 */
export function minuteOf(time: string): number {
  const minute = parseTimeOfDay(time);
  if (minute === null) throw new RangeError(`not a time of the day: ${time}`);
  return minute;
}

/** "07:30" for 450; `minutes` is 0 to 1440. */
export function formatTimeOfDay(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${String(hours).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
