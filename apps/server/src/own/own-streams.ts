import type { ApiError } from '@voltdeck/contract/errors';
import type { OwnEvent } from '@voltdeck/contract/own';
import type { CustomerId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyReply } from 'fastify';
import type { ScopedEvent } from '../bus/bus.ts';
import type { CustomerSessions } from '../caller/customer-sessions.ts';
import type { Context } from '../context.ts';
import type { OwnCall } from '../http/bind.ts';

export const ownStreamLimits = {
  /** A person has a phone or two, each with a page or two. */
  perCustomer: 4,
  /** Of the whole node: beyond it pages ask now and then. */
  all: 5_000,
  heartbeatMs: 15 * secondMs,
  /** How often the session is looked at. */
  lookMs: 30 * secondMs,
  /** Bytes that a slow phone may buffer before events are dropped. */
  bufferedBytesMax: 64 * 1024,
  retryAfterSeconds: 30,
} as const;

export type OwnStreams = {
  open(call: Pick<OwnCall<unknown>, 'caller' | 'token'>, reply: FastifyReply): Result<null, ApiError>;
  /** Ends every stream, so that the server can close. */
  close(): void;
};

type OwnStream = { tell(event: OwnEvent): void; end(): void };

/** Server-sent events to customers about their own charges. One ear hears the bus for all of them. */
export function createOwnStreams(context: Context, sessions: CustomerSessions): OwnStreams {
  const limits = ownStreamLimits;
  const streams = new Map<CustomerId, Set<OwnStream>>();
  let count = 0;
  const stopHearing = context.bus.subscribe((scoped) => {
    const customerId = 'userId' in scoped ? null : (scoped.customerId ?? null);
    const own = customerId === null ? undefined : streams.get(customerId);
    if (own === undefined) return;
    const event = viewOf(scoped.event);
    if (event !== null) for (const stream of own) stream.tell(event);
  });
  return {
    open({ caller, token }, reply) {
      const { customerId } = caller;
      const own = streams.get(customerId) ?? new Set();
      if (own.size >= limits.perCustomer || count >= limits.all) {
        return failed({ code: 'request.too_many', params: { seconds: limits.retryAfterSeconds } });
      }
      streams.set(customerId, own);
      count += 1;
      const isOpen = async () => (await sessions.find(token, context.now())).ok;
      const stream = openStream(context, reply, isOpen, () => {
        count -= 1;
        own.delete(stream);
        if (own.size === 0) streams.delete(customerId);
      });
      own.add(stream);
      return ok(null);
    },
    close() {
      stopHearing();
      for (const own of [...streams.values()]) for (const stream of [...own]) stream.end();
    },
  };
}

/** What the customer of a charge hears of it; null where it is nothing for them. */
function viewOf(event: ScopedEvent['event']): OwnEvent | null {
  if (event.kind !== 'order-changed') return null;
  const { kind, orderId, state, energyWh, amountFen, powerW, socPercent, at } = event;
  return { kind, orderId, state, energyWh, amountFen, powerW, socPercent, at };
}

function openStream(
  context: Context,
  reply: FastifyReply,
  isSessionOpen: () => Promise<boolean>,
  onEnd: () => void,
): OwnStream {
  const limits = ownStreamLimits;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would buffer events otherwise.
    'x-accel-buffering': 'no',
  });
  let hasEnded = false;
  let hasMissed = false;
  const isFull = () => raw.writableLength > limits.bufferedBytesMax;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(heartbeat);
    clearInterval(looks);
    onEnd();
    raw.end();
  };
  const say = (event: OwnEvent) => raw.write(`data: ${JSON.stringify(event)}\n\n`);
  const heartbeat = setInterval(() => {
    if (!isFull()) raw.write(': still here\n\n');
  }, limits.heartbeatMs);
  const looks = setInterval(() => {
    isSessionOpen().then(
      (isOpen) => {
        if (!isOpen) end();
      },
      (error: unknown) => context.log.warn({ err: error }, 'checking a customer’s stream failed'),
    );
  }, limits.lookMs);
  raw.write(': hello\n\n');
  raw.on('drain', () => {
    if (!hasMissed || hasEnded) return;
    hasMissed = false;
    say({ kind: 'missed' });
  });
  raw.on('close', end);
  raw.on('error', end);
  // The connection closed while the session was read, and no event announces that any more.
  if (raw.destroyed) queueMicrotask(end);
  return {
    tell(event) {
      if (hasEnded) return;
      if (isFull()) hasMissed = true;
      else say(event);
    },
    end,
  };
}
