import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';

/** Callers kept per window; beyond it the oldest are forgotten. */
const callersMax = 50_000;

/** How much earlier than its window a call may have come that waited for others; a clock set back further begins anew. */
const waitedMsMax = minuteMs;

/** Counts each caller's calls per time window. Kept in memory: a flood limit of this node. */
export class RateLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #windows = new Map<string, { startedAt: Instant; calls: number }>();

  constructor(limit: { max: number; windowMs: number }) {
    this.#max = limit.max;
    this.#windowMs = limit.windowMs;
  }

  /** Counts one call. @returns 0 when it is allowed, otherwise the whole seconds until it is. */
  secondsToWait(caller: string, now: Instant): number {
    const window = this.#windows.get(caller);
    if (window === undefined || now < window.startedAt - waitedMsMax || now - window.startedAt >= this.#windowMs) {
      this.#windows.delete(caller);
      this.#forgetOldest();
      this.#windows.set(caller, { startedAt: now, calls: 1 });
      return 0;
    }
    window.calls += 1;
    return window.calls <= this.#max ? 0 : Math.ceil((window.startedAt + this.#windowMs - now) / secondMs);
  }

  /** Checks without counting. @returns 0 while another call is allowed, otherwise the whole seconds until it is. */
  secondsLeft(caller: string, now: Instant): number {
    const window = this.#windows.get(caller);
    if (window === undefined || window.calls < this.#max || now < window.startedAt - waitedMsMax) return 0;
    return Math.max(0, Math.ceil((window.startedAt + this.#windowMs - now) / secondMs));
  }

  #forgetOldest(): void {
    if (this.#windows.size < callersMax) return;
    const oldest = this.#windows.keys().next();
    if (!oldest.done) this.#windows.delete(oldest.value);
  }
}
