import type { StationBoard } from './station-board.ts';

const cacheMax = 500;

/** What a station remembers of cards, and how it authorizes them. */
export class CardCache {
  readonly #station: StationBoard;
  readonly #cache = new Map<string, string>();

  constructor(station: StationBoard) {
    this.#station = station;
  }

  clear(): void {
    this.#cache.clear();
  }

  async authorize(card: string): Promise<string> {
    const cached = this.#cache.get(card.toUpperCase());
    if (this.#station.isOnline && !(this.#station.configuration.flag('LocalPreAuthorize') && cached === 'Accepted')) {
      const outcome = await this.#station.delivery.send('Authorize', { idTag: card });
      if (outcome.kind === 'answered') {
        const status = statusIn(outcome.payload);
        this.remember(card, status);
        return status;
      }
      if (outcome.kind === 'error') return outcome.code;
    } else if (this.#station.isOnline && cached !== undefined) {
      return cached;
    }
    if (!this.#station.configuration.flag('LocalAuthorizeOffline')) return 'Offline';
    return cached ?? (this.#station.configuration.flag('AllowOfflineTxForUnknownId') ? 'Accepted' : 'Offline');
  }

  remember(card: string, status: string): void {
    if (!this.#station.configuration.flag('AuthorizationCacheEnabled')) return;
    const key = card.toUpperCase();
    this.#cache.delete(key);
    this.#cache.set(key, status);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > cacheMax && !oldest.done) this.#cache.delete(oldest.value);
  }
}

/** The status of a card in an answer; Invalid where there is none. */
export function statusIn(payload: Record<string, unknown>): string {
  const info = payload.idTagInfo;
  const status = typeof info === 'object' && info !== null && 'status' in info ? info.status : null;
  return typeof status === 'string' ? status : 'Invalid';
}
