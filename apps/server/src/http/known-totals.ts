import { type Instant, minuteMs } from '@voltdeck/units/instant';

const keptMs = minuteMs;
const keptMax = 2_000;

/**
 * Remembers which filters match more records than a list counts. Where records are never deleted, "at least ten
 * thousand" stays true for about a minute even if some change state, so a wide list that is requested repeatedly is not
 * counted every time.
 */
export class KnownTotals {
  readonly #countedAt = new Map<string, Instant>();

  isAtLimit(filter: string, now: Instant): boolean {
    const countedAt = this.#countedAt.get(filter);
    if (countedAt === undefined) return false;
    if (now >= countedAt && now - countedAt < keptMs) return true;
    this.#countedAt.delete(filter);
    return false;
  }

  rememberAtLimit(filter: string, now: Instant): void {
    if (this.#countedAt.size >= keptMax) this.#countedAt.clear();
    this.#countedAt.set(filter, now);
  }
}
