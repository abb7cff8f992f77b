export type FairGateLimits = {
  atOnce: number;
  atOncePerKey: number;
  waiting: number;
  waitingPerKey: number;
  /** Longer waits are refused. */
  waitMsMax: number;
};

/** Gives the place back; a second call has no effect. */
export type Leave = () => void;

type Waiter = { begin(leave: Leave): void };

/**
 * Limits concurrent work in total and per key. Waiting keys take turns, so that a key with a hundred requests does not
 * block one with a single request.
 */
export class FairGate {
  readonly #limits: FairGateLimits;
  /** Places in use by each key. */
  readonly #running = new Map<string, number>();
  /** The key at the front is next. */
  readonly #waiting = new Map<string, Waiter[]>();
  #runningCount = 0;
  #waitingCount = 0;

  constructor(limits: FairGateLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#runningCount;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * A place, at once or when it is this key's turn; null when too many wait, the wait was too long or `signal` aborted.
   */
  async enter(key: string, signal?: AbortSignal): Promise<Leave | null> {
    const leave = this.enterNow(key);
    if (leave !== null) return leave;
    const { waiting, waitingPerKey, waitMsMax } = this.#limits;
    const own = this.#waiting.get(key) ?? [];
    if (own.length >= waitingPerKey || this.#waitingCount >= waiting || signal?.aborted === true) return null;
    return new Promise((resolve) => {
      const settle = (leave: Leave | null) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(leave);
      };
      const waiter: Waiter = { begin: settle };
      const giveUp = () => {
        this.#forget(key, waiter);
        settle(null);
      };
      const timer = setTimeout(giveUp, waitMsMax);
      signal?.addEventListener('abort', giveUp, { once: true });
      own.push(waiter);
      this.#waiting.set(key, own);
      this.#waitingCount += 1;
    });
  }

  /** A place if one is free for this key; null otherwise. */
  enterNow(key: string): Leave | null {
    return this.#mayRun(key) && !this.#waiting.has(key) ? this.#take(key) : null;
  }

  #mayRun(key: string): boolean {
    return this.#runningCount < this.#limits.atOnce && (this.#running.get(key) ?? 0) < this.#limits.atOncePerKey;
  }

  #take(key: string): Leave {
    this.#runningCount += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#runningCount -= 1;
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left === 0) this.#running.delete(key);
      else this.#running.set(key, left);
      this.#admit();
    };
  }

  #admit(): void {
    for (const [key, own] of this.#waiting) {
      if (this.#runningCount >= this.#limits.atOnce) return;
      if (!this.#mayRun(key)) continue;
      const waiter = own.shift();
      this.#waitingCount -= 1;
      // To the back of the queue, behind every other key.
      this.#waiting.delete(key);
      if (own.length > 0) this.#waiting.set(key, own);
      waiter?.begin(this.#take(key));
    }
  }

  #forget(key: string, waiter: Waiter): void {
    const own = this.#waiting.get(key);
    const index = own?.indexOf(waiter) ?? -1;
    if (own === undefined || index === -1) return;
    own.splice(index, 1);
    this.#waitingCount -= 1;
    if (own.length === 0) this.#waiting.delete(key);
  }
}
