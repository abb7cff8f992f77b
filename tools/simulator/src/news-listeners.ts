import type { Clock } from './clock.ts';
import type { NewsOf, StationNews } from './station-news.ts';

/** Who wants to hear of one station. */
export class NewsListeners {
  readonly #station: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(news: StationNews) => void>();

  constructor(station: string, clock: Clock) {
    this.#station = station;
    this.#clock = clock;
  }

  /** Hears everything from now on; call the result to stop hearing. */
  add(listener: (news: StationNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells what happened now. `news` is made only where somebody listens: there are stations by the thousand. */
  tell(news: () => NewsOf<StationNews>): void {
    if (this.#listeners.size === 0) return;
    const told = { station: this.#station, at: this.#clock.now(), ...news() } as StationNews;
    for (const listener of this.#listeners) listener(told);
  }
}
