import type { ApiError } from '@voltdeck/contract/errors';
import type { RoutePermission } from '@voltdeck/contract/permissions';
import type { Route } from '@voltdeck/contract/route';
import type { UserId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller/caller.ts';
import { type Sessions, sessionKeptMs } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import { type Call, mayCall } from './bind.ts';

/** A person has a few browser windows; more is a script that forgot to close its streams. */
export const streamsPerUserMax = 20;
/** Proxies and consoles give up on a silent connection. */
export const heartbeatMs = 15_000;
/** Bytes that a slow connection may buffer before events are dropped. */
export const bufferedBytesMax = 256 * 1024;

/** Server-sent events to one caller, for as long as the session is valid. */
export type OpenStream = {
  /** The records that the caller may see now. */
  readonly agents: Caller['agents'];
  /** Whether the caller sees phones and cards in full now. */
  readonly seesPersonal: boolean;
  /** Whether the caller has one of these permissions now. */
  mayHear(permission: RoutePermission): boolean;
  /** The connection has too much buffered: drop what can be dropped. */
  isFull(): boolean;
  /** `text` is the data of one event, on one line. */
  send(text: string): void;
  end(): void;
};

/** The source of a stream's events. */
export type StreamSource = {
  /** The connection has caught up. */
  drained?(): void;
  ended(): void;
};

export type Streams = {
  /** Answers the call with a stream; refused to a user who has too many. */
  open(
    route: Pick<Route, 'permission'>,
    call: Pick<Call<unknown>, 'caller' | 'token'>,
    reply: FastifyReply,
    begin: (stream: OpenStream) => StreamSource,
  ): Result<null, ApiError>;
  /** Ends every stream, so that the server can close. */
  close(): void;
};

/** `lookAtSession`: the caller's session may have ended, or the caller's rights may have changed. */
type HeldStream = { end(): void; lookAtSession(): void };

export function createStreams(context: Context, sessions: Sessions): Streams {
  const streams = new Map<UserId, Set<HeldStream>>();
  sessions.whenForgotten((userId) => {
    for (const stream of [...(streams.get(userId) ?? [])]) stream.lookAtSession();
  });
  return {
    open(route, call, reply, begin) {
      const own = streams.get(call.caller.userId) ?? new Set();
      if (own.size >= streamsPerUserMax) return failed({ code: 'request.too_many', params: { seconds: 30 } });
      streams.set(call.caller.userId, own);
      const stream = openStream({ context, sessions, route, ...call, reply, begin }, () => {
        own.delete(stream);
        if (own.size === 0) streams.delete(call.caller.userId);
      });
      own.add(stream);
      return ok(null);
    },
    close() {
      for (const own of [...streams.values()]) for (const stream of [...own]) stream.end();
    },
  };
}

function openStream(
  parts: Pick<Call<unknown>, 'caller' | 'token'> & {
    context: Context;
    sessions: Sessions;
    route: Pick<Route, 'permission'>;
    reply: FastifyReply;
    begin: (stream: OpenStream) => StreamSource;
  },
  onEnd: () => void,
): HeldStream {
  const { context, sessions, reply } = parts;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would buffer events otherwise.
    'x-accel-buffering': 'no',
  });

  let caller: Pick<Caller, 'admin' | 'permissions' | 'agents' | 'customerId'> = parts.caller;
  const isFull = () => raw.writableLength > bufferedBytesMax;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    clearInterval(looks);
    source.ended();
    onEnd();
    raw.end();
  };
  // A stream ends with its session and follows changes of the caller's rights.
  const lookAtSession = () => {
    sessions.find(parts.token ?? '', context.now()).then(
      (session) => {
        if (session.ok && mayCall(parts.route, session.value)) caller = session.value;
        else end();
      },
      (error: unknown) => context.log.warn({ err: error }, 'checking a stream’s session failed'),
    );
  };
  const heartbeat = setInterval(() => {
    if (!isFull()) raw.write(': still here\n\n');
  }, heartbeatMs);
  const looks = setInterval(lookAtSession, sessionKeptMs);
  const source = parts.begin({
    get agents() {
      return caller.agents;
    },
    get seesPersonal() {
      return seesPersonal(caller);
    },
    mayHear: (permission) => mayCall({ permission }, caller),
    isFull,
    send(text) {
      if (!ended) raw.write(`data: ${text}\n\n`);
    },
    end,
  });
  // Subscribed only now, so the reader gets everything that comes after.
  raw.write(': hello\n\n');
  raw.on('drain', () => source.drained?.());
  raw.on('close', end);
  raw.on('error', end);
  // The connection closed while the session was read, and no event announces that any more.
  if (raw.destroyed) queueMicrotask(end);
  return { end, lookAtSession };
}
