import { keepText } from '../keep-text.ts';

/** What a search led to: a page of the console, or an act by its key. */
export type Visit = { title: string; path: string } | { act: string };

const visitsMax = 6;
const keyOf = (userId: number) => `voltdeck-searches-${userId}`;

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  if ('act' in value) return typeof value.act === 'string';
  return (
    'title' in value &&
    typeof value.title === 'string' &&
    'path' in value &&
    typeof value.path === 'string' &&
    // Only pages of this console.
    /^\/(?![/\\])/.test(value.path)
  );
}

/** The stored visits, latest first. */
export function readVisits(kept: string | null): Visit[] {
  if (kept === null) return [];
  try {
    const value: unknown = JSON.parse(kept);
    return Array.isArray(value) ? value.filter(isVisit).slice(0, visitsMax) : [];
  } catch {
    // Unreadable text under our key counts as nothing stored.
    return [];
  }
}

const isSame = (one: Visit, other: Visit) =>
  'act' in one ? 'act' in other && one.act === other.act : 'path' in other && one.path === other.path;

/** The visits with one more: each page and act once, latest first. */
export function withVisit(visits: readonly Visit[], visit: Visit): Visit[] {
  return [visit, ...visits.filter((other) => !isSame(visit, other))].slice(0, visitsMax);
}

export function visitsOf(userId: number): Visit[] {
  return readVisits(localStorage.getItem(keyOf(userId)));
}

export function keepVisit(userId: number, visit: Visit): void {
  keepText(localStorage, keyOf(userId), JSON.stringify(withVisit(visitsOf(userId), visit)));
}
