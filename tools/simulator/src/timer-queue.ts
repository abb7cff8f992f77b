export type Cancel = () => void;

type Entry = { at: number; order: number; run: (() => void) | null };

/**
 * Every timer of every virtual station in one binary heap, so that thousands of stations need one runtime timer. Equal
 * times run in order of adding.
 */
export class TimerQueue {
  #heap: Entry[] = [];
  #live = 0;
  #order = 0;

  /** Timers that will still run. */
  get size(): number {
    return this.#live;
  }

  add(at: number, run: () => void): Cancel {
    this.#order += 1;
    const entry: Entry = { at, order: this.#order, run };
    this.#heap.push(entry);
    this.#live += 1;
    this.#rise(this.#heap.length - 1);
    return () => {
      if (entry.run === null) return;
      entry.run = null;
      this.#live -= 1;
      if (this.#heap.length > 64 && this.#heap.length > 2 * this.#live) this.#compact();
    };
  }

  /** The time of the earliest timer, or null when there is none. */
  nextAt(): number | null {
    this.#dropCancelled();
    return this.#heap[0]?.at ?? null;
  }

  /** Removes and returns the earliest due timer, or null. */
  takeDue(now: number): (() => void) | null {
    this.#dropCancelled();
    const first = this.#heap[0];
    if (first === undefined || first.run === null || first.at > now) return null;
    const run = first.run;
    first.run = null;
    this.#live -= 1;
    this.#removeFirst();
    return run;
  }

  #dropCancelled(): void {
    while (this.#heap[0] !== undefined && this.#heap[0].run === null) this.#removeFirst();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #compact(): void {
    this.#heap = this.#heap.filter((entry) => entry.run !== null);
    for (let index = (this.#heap.length >> 1) - 1; index >= 0; index -= 1) this.#sink(index);
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const child = this.#isEarlier(right, left) ? right : left;
      if (!this.#swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  #isEarlier(candidate: number, other: number): boolean {
    const a = this.#heap[candidate];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  #swapIfEarlier(candidate: number, other: number): boolean {
    const a = this.#heap[candidate];
    const b = this.#heap[other];
    if (a === undefined || b === undefined || !this.#isEarlier(candidate, other)) return false;
    this.#heap[candidate] = b;
    this.#heap[other] = a;
    return true;
  }
}
