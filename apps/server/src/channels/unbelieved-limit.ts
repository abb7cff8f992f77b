import { type Instant, minuteMs } from '@voltdeck/units/instant';
import type { ChannelRoom } from './channel-room.ts';

/** Records of notifications that are not believed, for the whole server: anybody can send them. */
export const unbelievedPerMinuteMax = 60;

/** Counts notifications that are not believed by the minute; those beyond the limit leave their number in the log alone. */
export class UnbelievedLimit {
  readonly #log: ChannelRoom['log'];
  #minute = 0;
  #came = 0;

  constructor(log: ChannelRoom['log']) {
    this.#log = log;
  }

  /** Counts one. @returns whether it is to be kept. */
  keepsOne(at: Instant): boolean {
    const minute = Math.floor(at / minuteMs);
    if (minute !== this.#minute) {
      const left = this.#came - unbelievedPerMinuteMax;
      if (left > 0) this.#log.warn({ left }, 'notifications that were not believed came too often and were not kept');
      this.#minute = minute;
      this.#came = 0;
    }
    this.#came += 1;
    if (this.#came === unbelievedPerMinuteMax + 1) {
      this.#log.warn({ kept: unbelievedPerMinuteMax }, 'notifications that are not believed come too often');
    }
    return this.#came <= unbelievedPerMinuteMax;
  }
}
