import { dayMs, type Instant, instant, parseIso, shanghaiDayStart, toIso } from '@voltdeck/units/instant';

/** The last second of a day, which ends a period. */
const lastOfDayMs = dayMs - 1_000;

/** Periods relative to today, by the days before today on which they start and end. Null is open. */
const movingPeriods = [
  { from: 0, to: 0 },
  { from: 0, to: null },
  { from: 1, to: 1 },
  { from: 6, to: 0 },
  { from: 29, to: 0 },
] as const;

const dayMark = /^@(\d{1,2})$/;

function startOf(days: number, now: Instant): string {
  return toIso(instant(shanghaiDayStart(now) - days * dayMs));
}

function endOf(days: number, now: Instant): string {
  return toIso(instant(shanghaiDayStart(now) - days * dayMs + lastOfDayMs));
}

const isAt = (text: string | null, iso: string) => text !== null && parseIso(text) === parseIso(iso);

/**
 * The part of an address that a filter set stores, in canonical order. A period that ends today or was yesterday is
 * relative: a set called "today" will show tomorrow's orders tomorrow.
 */
export function queryToKeep(search: URLSearchParams, parameters: readonly string[], now: Instant): string {
  const from = search.get('from');
  const to = search.get('to');
  const moving = movingPeriods.find(
    (period) =>
      isAt(from, startOf(period.from, now)) && (period.to === null ? to === null : isAt(to, endOf(period.to, now))),
  );
  const kept = new URLSearchParams();
  for (const name of [...parameters].sort()) {
    const value = search.get(name);
    if (value === null || value === '') continue;
    const days =
      moving === undefined ? undefined : name === 'from' ? moving.from : name === 'to' ? moving.to : undefined;
    kept.set(name, days === undefined || days === null ? value : `@${days}`);
  }
  return kept.toString();
}

/** The current meaning of a filter set by parameter; undefined where it says nothing. */
export function valuesNow(
  query: string,
  parameters: readonly string[],
  now: Instant,
): Record<string, string | undefined> {
  const kept = new URLSearchParams(query);
  return Object.fromEntries(
    parameters.map((name) => {
      const value = kept.get(name) ?? undefined;
      // In other filters "@5" is a text that someone searches for.
      const days = value !== undefined && (name === 'from' || name === 'to') ? dayMark.exec(value)?.[1] : undefined;
      if (days === undefined) return [name, value];
      return [name, name === 'to' ? endOf(Number(days), now) : startOf(Number(days), now)];
    }),
  );
}

export function movesWithDay(query: string): boolean {
  return dayMark.test(new URLSearchParams(query).get('from') ?? '');
}
