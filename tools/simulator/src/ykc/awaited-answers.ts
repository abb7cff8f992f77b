import type { Message } from '@voltdeck/ykc/messages/all';
import type { Clock } from '../clock.ts';

type Settle = (answer: Message | null) => void;

/** Answers in flight. Event time does not jump while there is one; each has a limit in real time. */
export class AwaitedAnswers {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #waiting = new Map<string, Settle[]>();

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** `settle` runs once: with the answer, or with null when there is none in time or the link is lost. */
  add(key: string, settle: Settle): void {
    const release = this.#clock.hold();
    const finish: Settle = (answer) => {
      cancel();
      const others = (this.#waiting.get(key) ?? []).filter((each) => each !== finish);
      if (others.length === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, others);
      settle(answer);
      release();
    };
    const cancel = this.#clock.afterReal(this.#limitMs, () => finish(null));
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), finish]);
  }

  /** Returns false if nobody waits for it. */
  settle(key: string, answer: Message): boolean {
    const first = this.#waiting.get(key)?.[0];
    first?.(answer);
    return first !== undefined;
  }

  loseAll(): void {
    for (const settles of [...this.#waiting.values()]) for (const settle of [...settles]) settle(null);
  }
}
