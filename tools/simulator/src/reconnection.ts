import type { Clock, TimerGroup } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Random } from './seeded.ts';
import type { Cancel } from './timer-queue.ts';

const pauseFirstMs = 2_000;
const pauseMaxMs = 60_000;
const doublingsMax = 6;

/** The pause before the next attempt, growing with each; `draw` is 0 to 1. */
function reconnectPauseMs(attempts: number, draw: number): number {
  return Math.min(pauseMaxMs, pauseFirstMs * 2 ** Math.min(attempts, doublingsMax)) * (0.75 + draw / 2);
}

export type ReconnectionOptions = {
  clock: Clock;
  /** Those that a power cut ends. */
  timers: TimerGroup;
  random: Random;
  /** `drop` returns false if there was no link to break. */
  link: { readonly isOpen: boolean; drop(): boolean };
  flapping: () => Faults['flapping'];
  isPowered: () => boolean;
  connect: () => void;
};

/** When a station connects, in any protocol: at power-up, after a loss, and never while the network is down. */
export class Reconnection {
  readonly #options: ReconnectionOptions;
  #attempts = 0;
  #downUntil = 0;
  #cancelAttempt: Cancel = () => {};
  #cancelFlap: Cancel = () => {};

  constructor(options: ReconnectionOptions) {
    this.#options = options;
  }

  /** At power-up: connects at once, or when the network is back. */
  begin(): void {
    this.#attempts = 0;
    if (this.#downUntil > this.#options.clock.now()) this.again();
    else this.#options.connect();
  }

  /** The link was lost or failed: schedules another attempt, later than the previous one. */
  again(): void {
    const { clock, connect, isPowered } = this.#options;
    if (!isPowered()) return;
    const pauseMs = this.#nextPauseMs();
    const downMs = this.#downUntil - clock.now();
    this.#attemptAfter(downMs > 0 ? downMs : pauseMs, connect);
  }

  /** The link is up but unusable: `run` after the pause of the next attempt. */
  later(run: () => void): void {
    this.#attemptAfter(this.#nextPauseMs(), run);
  }

  /** The station was accepted: the pause starts small again after the next loss. */
  succeeded(): void {
    this.#attempts = 0;
  }

  /** The network fails silently and returns `forMs` of event time later. */
  dropLink(forMs: number): void {
    const { clock, link } = this.#options;
    this.#downUntil = clock.now() + forMs;
    this.#attempts = 0;
    if (!link.drop()) this.again();
  }

  /** Call when the link is up or the fault was switched: breaks the link when its time is up. */
  flap(): void {
    this.#cancelFlap();
    const { flapping, link, timers } = this.#options;
    const fault = flapping();
    if (fault === null || !link.isOpen) return;
    this.#cancelFlap = timers.after(fault.upMs, () => this.dropLink(fault.downMs));
  }

  /** Call when the link is lost. */
  stopFlapping(): void {
    this.#cancelFlap();
  }

  #nextPauseMs(): number {
    const draw = this.#options.random.fork(`reconnect ${this.#attempts + 1}`).next();
    const pauseMs = reconnectPauseMs(this.#attempts, draw);
    this.#attempts += 1;
    return pauseMs;
  }

  #attemptAfter(ms: number, run: () => void): void {
    this.#cancelAttempt();
    this.#cancelAttempt = this.#options.timers.after(ms, run);
  }
}
