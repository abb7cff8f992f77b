import type { ApiError } from '@voltdeck/contract/errors';
import type { UserId } from '@voltdeck/units/id';
import { dayMs, type Instant, minuteMs } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { RateLimit } from '../../http/rate-limit.ts';

/** A browser sends six at once to one server; a picture being processed takes 5 MB and then its turn. */
export const uploadsAtOnceMax = { ofUser: 6, ofAll: 24 } as const;
export const uploadsMax = { perMinute: 60, perDay: 2_000 } as const;
const retryAfterSeconds = 2;

/** Uploads running on this node, and how many each user has started. */
export class UploadSlots {
  readonly #running = new Map<UserId, number>();
  #runningInAll = 0;
  readonly #perMinute = new RateLimit({ max: uploadsMax.perMinute, windowMs: minuteMs });
  readonly #perDay = new RateLimit({ max: uploadsMax.perDay, windowMs: dayMs });

  /** Runs `work` if there is room, otherwise refuses with the seconds to wait. */
  async taking<Value>(
    userId: UserId,
    at: Instant,
    work: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError>> {
    const running = this.#running.get(userId) ?? 0;
    if (running >= uploadsAtOnceMax.ofUser || this.#runningInAll >= uploadsAtOnceMax.ofAll) {
      return failed({ code: 'request.too_many', params: { seconds: retryAfterSeconds } });
    }
    const name = String(userId);
    const seconds = this.#perMinute.secondsToWait(name, at) || this.#perDay.secondsToWait(name, at);
    if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
    this.#running.set(userId, running + 1);
    this.#runningInAll += 1;
    try {
      return await work();
    } finally {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left === 0) this.#running.delete(userId);
      else this.#running.set(userId, left);
      this.#runningInAll -= 1;
    }
  }
}
