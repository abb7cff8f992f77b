import { type Clock, TimerGroup } from './clock.ts';
import type { NewsListeners } from './news-listeners.ts';

/** What a station does when its power comes and goes. */
export type PowerUser = { powerUp(): void; powerDown(): void };

/** A station's power, in any protocol: a cut ends its timers, and its return is an event of the world. */
export class PowerSupply {
  /** Timers that a power cut ends. */
  readonly timers: TimerGroup;
  readonly #worldTimers: TimerGroup;
  readonly #clock: Clock;
  readonly #news: NewsListeners;
  readonly #user: PowerUser;
  #isOn = false;
  #onSince: number;

  constructor(clock: Clock, news: NewsListeners, user: PowerUser) {
    this.timers = new TimerGroup(clock);
    this.#worldTimers = new TimerGroup(clock);
    this.#clock = clock;
    this.#news = news;
    this.#user = user;
    this.#onSince = clock.now();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Event time of the last power-up. */
  get onSince(): number {
    return this.#onSince;
  }

  turnOn(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#onSince = this.#clock.now();
    this.#user.powerUp();
  }

  /** Cuts the power for `offMs` of event time; `atReturn` runs before the station powers up again. */
  fail(offMs: number, atReturn: () => void = () => {}): void {
    this.#news.tell(() => ({ kind: 'power-lost' }));
    this.#cut();
    this.#user.powerDown();
    this.#worldTimers.after(offMs, () => {
      atReturn();
      this.#news.tell(() => ({ kind: 'power-restored' }));
      this.turnOn();
    });
  }

  /** Cuts the power for good, silently. */
  end(): void {
    this.#worldTimers.cancelAll();
    this.#cut();
  }

  #cut(): void {
    this.#isOn = false;
    this.timers.cancelAll();
  }
}
