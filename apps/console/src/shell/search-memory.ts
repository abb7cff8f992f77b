/** Where a search led. */
export type Visit = { title: string; path: string };

const visitsMax = 6;
const keyOf = (userId: number) => `voltdeck-searches-${userId}`;

function isVisit(value: unknown): value is Visit {
  return (
    typeof value === 'object' &&
    value !== null &&
    'title' in value &&
    typeof value.title === 'string' &&
    'path' in value &&
    typeof value.path === 'string' &&
    // Only places of this console.
    /^\/(?![/\\])/.test(value.path)
  );
}

/** What was kept of earlier searches, the latest first. */
export function readVisits(kept: string | null): Visit[] {
  if (kept === null) return [];
  try {
    const value: unknown = JSON.parse(kept);
    return Array.isArray(value) ? value.filter(isVisit).slice(0, visitsMax) : [];
  } catch {
    // Somebody else's text under our key says nothing.
    return [];
  }
}

/** The visits after one more: each place once, the latest first. */
export function withVisit(visits: readonly Visit[], visit: Visit): Visit[] {
  return [visit, ...visits.filter(({ path }) => path !== visit.path)].slice(0, visitsMax);
}

export function visitsOf(userId: number): Visit[] {
  return readVisits(localStorage.getItem(keyOf(userId)));
}

export function keepVisit(userId: number, visit: Visit): void {
  localStorage.setItem(keyOf(userId), JSON.stringify(withVisit(visitsOf(userId), visit)));
}
