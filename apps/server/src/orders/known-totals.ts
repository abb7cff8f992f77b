import { type Instant, minuteMs } from '@voltdeck/units/instant';

const keptMs = minuteMs;
const keptMax = 2_000;

/**
 * Remembers which filters were found to match more orders than a list counts. Orders are never deleted, so "at least
 * ten thousand" stays true for about a minute even where orders leave a state, and the same wide list, asked for again
 * and again, is not counted again and again.
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
