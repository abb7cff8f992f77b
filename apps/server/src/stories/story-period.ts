import { type Instant, instant, parseIso } from '@voltdeck/units/instant';

export type StoryPeriod = { from: Instant; to: Instant; isShortened: boolean };

/**
 * The period of a story: what was asked for, up to now; by default the last `usualMs`. One that is longer than `maxMs`
 * begins later, and the story says so.
 */
export function storyPeriod(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Instant,
  { usualMs, maxMs }: { usualMs: number; maxMs: number },
): StoryPeriod {
  const to = instant(Math.min(now, (asked.to === undefined ? null : parseIso(asked.to)) ?? now));
  const wanted = (asked.from === undefined ? null : parseIso(asked.from)) ?? instant(to - usualMs);
  const from = instant(Math.min(to, Math.max(wanted, to - maxMs)));
  return { from, to, isShortened: from > wanted };
}
