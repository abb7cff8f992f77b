import type { ApiError } from '@voltdeck/contract/errors';
import type { Route } from '@voltdeck/contract/route';
import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyReply } from 'fastify';
import type { CustomerSessionId } from '../caller/customer-caller.ts';
import { FairGate } from '../limits/fair-gate.ts';
import { networkOf } from '../limits/remote-networks.ts';
import { RateLimit } from './rate-limit.ts';

/**
 * How much customers may ask. Their reads have places of their own, fewer than the console's, so that a thousand phones
 * never keep a person at a desk waiting.
 */
export const customerLimits = {
  /** A live page asks every few seconds. */
  callsPerSession: 240,
  /** Many phones share one address of their mobile network. */
  callsPerNetwork: 3_000,
  perMs: minuteMs,
  atOncePerCustomer: 2,
  waitingPerCustomer: 10,
  waiting: 1_000,
  waitMsMax: 10 * secondMs,
  /** Seconds after which a refused read may be retried. */
  retryAfterSeconds: 5,
} as const;

export type CustomerTurns = {
  countNetwork(remoteAddress: string, at: Instant): Result<null, ApiError>;
  countSession(id: CustomerSessionId, at: Instant): Result<null, ApiError>;
  /** Carries out a read when it is the turn of its asker: a customer, or the network of somebody unknown. */
  inTurn<Value>(
    route: Pick<Route, 'method'>,
    asker: string,
    reply: FastifyReply | null,
    act: () => Promise<Result<Value, ApiError>>,
  ): Promise<Result<Value, ApiError>>;
};

/** `connections` is the console's number of database connections, of which customers get at most a quarter. */
export function createCustomerTurns(connections: number): CustomerTurns {
  const limits = customerLimits;
  const sessions = new RateLimit({ max: limits.callsPerSession, windowMs: limits.perMs });
  const networks = new RateLimit({ max: limits.callsPerNetwork, windowMs: limits.perMs });
  const reads = new FairGate({
    atOnce: Math.max(1, Math.floor(connections / 4)),
    atOncePerKey: limits.atOncePerCustomer,
    waiting: limits.waiting,
    waitingPerKey: limits.waitingPerCustomer,
    waitMsMax: limits.waitMsMax,
  });
  const counted = (seconds: number): Result<null, ApiError> =>
    seconds === 0 ? ok(null) : failed({ code: 'request.too_many', params: { seconds } });
  return {
    countNetwork: (remoteAddress, at) => counted(networks.secondsToWait(networkOf(remoteAddress), at)),
    countSession: (id, at) => counted(sessions.secondsToWait(String(id), at)),
    async inTurn(route, asker, reply, act) {
      if (route.method !== 'GET') return act();
      const gone = new AbortController();
      const onClose = () => gone.abort();
      reply?.raw.once('close', onClose);
      const leave = await reads.enter(asker, gone.signal);
      reply?.raw.off('close', onClose);
      if (leave === null) return failed({ code: 'request.too_many', params: { seconds: limits.retryAfterSeconds } });
      try {
        return await act();
      } finally {
        leave();
      }
    },
  };
}
