export type PacedTurnsLimits = { perTick: number; tickMs: number; waiting: number };

/** Runs small tasks a few at a time, so that a thousand at once leave time for others in between. */
export class PacedTurns {
  readonly #limits: PacedTurnsLimits;
  #waiting: (() => void)[] = [];
  /** Tasks that may still run in this tick. */
  #left: number;
  #ticking: NodeJS.Timeout | null = null;

  constructor(limits: PacedTurnsLimits) {
    this.#limits = limits;
    this.#left = limits.perTick;
  }

  /** Runs `task` now or in a later tick. @returns false when too many wait: it will not run. */
  take(task: () => void): boolean {
    this.#ticking ??= setInterval(() => this.#tick(), this.#limits.tickMs);
    if (this.#left > 0) {
      this.#left -= 1;
      task();
      return true;
    }
    if (this.#waiting.length >= this.#limits.waiting) return false;
    this.#waiting.push(task);
    return true;
  }

  /** Drops what waits. */
  close(): void {
    this.#waiting = [];
    this.#rest();
  }

  #tick(): void {
    const due = this.#waiting.splice(0, this.#limits.perTick);
    this.#left = this.#limits.perTick - due.length;
    if (due.length === 0) this.#rest();
    for (const task of due) task();
  }

  #rest(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#ticking = null;
  }
}
