import { type Instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import dayjs, { type Dayjs } from 'dayjs';

const wallFormat = 'YYYY-MM-DD HH:mm:ss';

/**
 * Date pickers work in the browser's own zone; the console speaks Asia/Shanghai. A wall time is a picker's value whose
 * figures on the clock are Shanghai's.
 */
export function wallTimeOf(iso: string | undefined): Dayjs | null {
  const at = iso === undefined ? null : parseIso(iso);
  return at === null ? null : dayjs(shanghaiDateTime(at));
}

/** The instant, as ISO in UTC, at which clocks in Shanghai show what `wall` shows. */
export function isoOfWallTime(wall: Dayjs): string {
  return new Date(`${wall.format(wallFormat).replace(' ', 'T')}+08:00`).toISOString();
}

/** Now, as clocks in Shanghai show it. */
export function wallTimeNow(now: Instant): Dayjs {
  return dayjs(shanghaiDateTime(now));
}
