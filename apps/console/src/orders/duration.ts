import { minuteMs } from '@voltdeck/units/instant';
import { longDurationText } from '../ui/figures.ts';

export type DurationParts = { hours: number; minutes: number };

/** Whole hours and minutes, rounded down; a negative span counts as zero. */
export function durationParts(ms: number): DurationParts {
  const whole = Math.max(0, Math.floor(ms / minuteMs));
  return { hours: Math.floor(whole / 60), minutes: whole % 60 };
}

/** "1:05" for a column: hours, then minutes in two digits; whole hours if they are many. */
export function clockOf(ms: number): string {
  const long = longDurationText(ms);
  if (long !== null) return long;
  const { hours, minutes } = durationParts(ms);
  return `${hours}:${String(minutes).padStart(2, '0')}`;
}

/**
 * How long a charge has taken, to its end or to `nowMs` while it runs; null before it starts. Instants are ISO 8601
 * texts.
 */
export function chargeDurationMs(
  order: { startedAt: string | null; endedAt: string | null },
  nowMs: number,
): number | null {
  if (order.startedAt === null) return null;
  const end = order.endedAt === null ? nowMs : Date.parse(order.endedAt);
  return Math.max(0, end - Date.parse(order.startedAt));
}
