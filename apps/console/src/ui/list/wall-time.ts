import { type Instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import dayjs, { type Dayjs } from 'dayjs';

const wallFormat = 'YYYY-MM-DD HH:mm:ss';

/**
 * Date pickers work in the browser's zone, while the console uses Asia/Shanghai. A wall time is a picker's value that
 * reads as Shanghai time.
 */
export function wallTimeOf(iso: string | undefined): Dayjs | null {
  const at = iso === undefined ? null : parseIso(iso);
  return at === null ? null : dayjs(shanghaiDateTime(at));
}

/** The ISO instant in UTC at which clocks in Shanghai show `wall`. */
export function isoOfWallTime(wall: Dayjs): string {
  return new Date(`${wall.format(wallFormat).replace(' ', 'T')}+08:00`).toISOString();
}

/** The current Shanghai time. */
export function wallTimeNow(now: Instant): Dayjs {
  return dayjs(shanghaiDateTime(now));
}
