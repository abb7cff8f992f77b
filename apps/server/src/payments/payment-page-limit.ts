import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { RateLimit } from '../http/rate-limit.ts';
import { networkOf } from '../limits/remote-networks.ts';

/** Calls of payment pages per network and minute: a page asks every two seconds. */
export const pageCallsPerMinuteMax = 300;

export type PaymentPageLimit = ReturnType<typeof createPaymentPageLimit>;

/** One limit for the page of a payment and for what it asks. */
export function createPaymentPageLimit() {
  const calls = new RateLimit({ max: pageCallsPerMinuteMax, windowMs: minuteMs });
  return {
    /** Counts one call. @returns 0 when it is allowed, otherwise the whole seconds until it is. */
    secondsToWait: (remoteAddress: string, at: Instant): number => calls.secondsToWait(networkOf(remoteAddress), at),
  };
}
