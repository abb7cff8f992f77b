import type { Clock } from './clock.ts';
import type { NewsOf, StationNews } from './station-news.ts';

/** The listeners of one station. */
export class NewsListeners {
  readonly #station: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(news: StationNews) => void>();

  constructor(station: string, clock: Clock) {
    this.#station = station;
    this.#clock = clock;
  }

  /** Calls `listener` with all news until the returned function is called. */
  add(listener: (news: StationNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Publishes what happened now. `news` is called only if there are listeners, since there are thousands of stations.
   */
  tell(news: () => NewsOf<StationNews>): void {
    if (this.#listeners.size === 0) return;
    const told = { station: this.#station, at: this.#clock.now(), ...news() } as StationNews;
    for (const listener of this.#listeners) listener(told);
  }
}
