import { type Cancel, TimerQueue } from './timer-queue.ts';

/**
 * Event time for virtual stations. What a station does (samples, heartbeats, reconnecting, drivers) follows event time;
 * what the network does (a handshake, an answer) takes real time, since the other side lives there.
 */
export type Clock = {
  /** Event time in milliseconds since 1970. */
  now(): number;
  /** Runs once after `delayMs` of event time. */
  after(delayMs: number, run: () => void): Cancel;
  /** Runs once after `delayMs` of real time. */
  afterReal(delayMs: number, run: () => void): Cancel;
  /** Prevents event time from jumping until released: an answer in flight belongs to the present. */
  hold(): Cancel;
  /** Timers that have yet to run. */
  pendingTimers(): number;
};

/** Timers within this span run together, so that thousands of stations wake the process at most 100 times a second. */
const togetherMs = 10;
const sleepMaxMs = 60_000;

/** One runtime timer for a queue of any length. */
class RealTimers {
  readonly #queue = new TimerQueue();
  #timeout: NodeJS.Timeout | null = null;
  #wakeAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#queue.size;
  }

  add(delayMs: number, run: () => void): Cancel {
    const at = Math.ceil((performance.now() + Math.max(0, delayMs)) / togetherMs) * togetherMs;
    const cancel = this.#queue.add(at, run);
    if (at < this.#wakeAt) this.#arm();
    return () => {
      cancel();
      if (this.#queue.size === 0) this.#disarm();
    };
  }

  #arm(): void {
    const at = this.#queue.nextAt();
    this.#disarm();
    if (at === null) return;
    this.#wakeAt = at;
    this.#timeout = setTimeout(() => this.#run(), Math.min(sleepMaxMs, Math.max(0, at - performance.now())));
  }

  #disarm(): void {
    if (this.#timeout !== null) clearTimeout(this.#timeout);
    this.#timeout = null;
    this.#wakeAt = Number.POSITIVE_INFINITY;
  }

  #run(): void {
    this.#timeout = null;
    const now = performance.now();
    try {
      for (let run = this.#queue.takeDue(now); run !== null; run = this.#queue.takeDue(now)) run();
    } finally {
      this.#arm();
    }
  }
}

/** Real time, or real time sped up: `factor` 60 plays an hour in a minute, from `startAt` (default: now). */
export function liveClock(options: { startAt?: number; factor?: number } = {}): Clock {
  const factor = options.factor ?? 1;
  if (!(factor > 0)) throw new RangeError(`a clock's factor must be above zero, got ${factor}`);
  const realStart = Date.now();
  const startAt = options.startAt ?? realStart;
  const timers = new RealTimers();
  return {
    now: () => Math.round(startAt + (Date.now() - realStart) * factor),
    after: (delayMs, run) => timers.add(delayMs / factor, run),
    afterReal: (delayMs, run) => timers.add(delayMs, run),
    hold: () => () => {},
    pendingTimers: () => timers.size,
  };
}

export type ScriptedClock = Clock & {
  /** Advances event time from timer to timer; between jumps it waits until nothing is held. */
  play(durationMs: number): Promise<void>;
  /** Plays until the condition holds or `limitMs` of event time have passed; resolves to whether it holds. */
  playUntil(condition: () => boolean, limitMs: number): Promise<boolean>;
  /** Waits until nothing is held, without advancing event time. */
  settle(): Promise<void>;
};

/**
 * A clock that moves only on demand. `betweenJumps` runs before each jump, where a test can wait for the other side
 * (for a remote stop in flight, for instance).
 */
export function scriptedClock(startAt: number, betweenJumps?: () => Promise<void>): ScriptedClock {
  const events = new TimerQueue();
  const real = new RealTimers();
  let now = startAt;
  let held = 0;
  let released: (() => void)[] = [];

  const settle = async (): Promise<void> => {
    do {
      if (held > 0) await new Promise<void>((resolve) => released.push(resolve));
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (held > 0);
  };

  const playUntil = async (condition: () => boolean, limitMs: number): Promise<boolean> => {
    const end = now + limitMs;
    for (;;) {
      await settle();
      if (betweenJumps !== undefined) {
        await betweenJumps();
        await settle();
      }
      if (condition()) return true;
      const at = events.nextAt();
      if (at === null || at > end) {
        now = end;
        return condition();
      }
      now = Math.max(now, at);
      events.takeDue(now)?.();
    }
  };

  return {
    now: () => now,
    after: (delayMs, run) => events.add(now + Math.max(0, Math.round(delayMs)), run),
    afterReal: (delayMs, run) => real.add(delayMs, run),
    hold: () => {
      held += 1;
      let holding = true;
      return () => {
        if (!holding) return;
        holding = false;
        held -= 1;
        if (held > 0) return;
        const waiting = released;
        released = [];
        for (const resolve of waiting) resolve();
      };
    },
    pendingTimers: () => events.size + real.size,
    play: async (durationMs) => {
      await playUntil(() => false, durationMs);
    },
    playUntil,
    settle,
  };
}

/** The timers of one owner, which can be cancelled together (a power cut, an unplugged cable). */
export class TimerGroup {
  readonly #clock: Clock;
  readonly #cancels = new Set<Cancel>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, run: () => void): Cancel {
    const cancel = this.#clock.after(delayMs, () => {
      this.#cancels.delete(stop);
      run();
    });
    const stop = () => {
      cancel();
      this.#cancels.delete(stop);
    };
    this.#cancels.add(stop);
    return stop;
  }

  cancelAll(): void {
    for (const cancel of [...this.#cancels]) cancel();
  }
}
