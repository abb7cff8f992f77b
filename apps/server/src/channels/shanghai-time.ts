import { type Instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';

/** "2026-11-21 15:04:05", as channels write the time of China; null for anything else. */
export function parseShanghaiTime(text: string): Instant | null {
  return parseIso(`${text.trim().replace(' ', 'T')}+08:00`);
}

/** "2026-11-21T15:04:05+08:00". */
export function shanghaiIso(at: Instant): string {
  return `${shanghaiDateTime(at).replace(' ', 'T')}+08:00`;
}
