import { minuteMs, secondMs } from '@voltdeck/units/instant';
import type { MessageOf } from '@voltdeck/ykc/messages/all';
import type { Clock } from '../clock.ts';
import type { Cancel } from '../timer-queue.ts';

type Kept = { record: MessageOf<'transaction-record'>; attempts: number; cancel: Cancel };

/** Every 30 s three times, once more after five minutes, then not before the next login (section 3.3). */
export const recordRetryMs = [30 * secondMs, 30 * secondMs, 30 * secondMs, 5 * minuteMs] as const;
/** A real station holds some thousands. */
export const recordsMax = 1_000;

/** Transaction records that no 0x40 has accepted. They survive power cuts and lost links. */
export class UnconfirmedRecords {
  readonly #clock: Clock;
  readonly #send: (record: MessageOf<'transaction-record'>) => void;
  readonly #retried: (attempt: number) => void;
  readonly #dropped: (because: 'attempts' | 'full') => void;
  readonly #kept = new Map<string, Kept>();
  #running = false;

  constructor(options: {
    clock: Clock;
    send: (record: MessageOf<'transaction-record'>) => void;
    retried: (attempt: number) => void;
    /** `attempts`: it waits for the next login; `full`: the oldest is lost. */
    dropped: (because: 'attempts' | 'full') => void;
  }) {
    this.#clock = options.clock;
    this.#send = options.send;
    this.#retried = options.retried;
    this.#dropped = options.dropped;
  }

  get size(): number {
    return this.#kept.size;
  }

  add(record: MessageOf<'transaction-record'>): void {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= recordsMax && !oldest.done) {
      this.confirm(oldest.value);
      this.#dropped('full');
    }
    const kept: Kept = { record, attempts: 0, cancel: () => {} };
    this.#kept.set(record.tradeNo, kept);
    if (this.#running) this.#try(kept);
  }

  confirm(tradeNo: string): void {
    this.#kept.get(tradeNo)?.cancel();
    this.#kept.delete(tradeNo);
  }

  /** Signed in: all records are sent again. */
  resume(): void {
    this.#running = true;
    for (const kept of [...this.#kept.values()]) {
      kept.cancel();
      kept.attempts = 0;
      this.#try(kept);
    }
  }

  pause(): void {
    this.#running = false;
    for (const { cancel } of this.#kept.values()) cancel();
  }

  #try(kept: Kept): void {
    const pauseMs = recordRetryMs[kept.attempts];
    if (kept.attempts > 0) this.#retried(kept.attempts);
    kept.attempts += 1;
    if (pauseMs === undefined) this.#dropped('attempts');
    else kept.cancel = this.#clock.after(pauseMs, () => this.#try(kept));
    this.#send(kept.record);
  }
}
