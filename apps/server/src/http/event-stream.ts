import { type ConsoleEvent, streamEvents } from '@voltdeck/contract/events';
import type { UserId } from '@voltdeck/units/id';
import { failed, ok } from '@voltdeck/units/result';
import type { FastifyReply } from 'fastify';
import { isInScope } from '../access/scope.ts';
import type { Sessions } from '../access/sessions.ts';
import type { ScopedEvent } from '../bus/bus.ts';
import type { Context } from '../context.ts';
import type { Binder, Call } from './bind.ts';

/** A person has a few browser windows; more is a script that forgot to close. */
export const streamsPerUserMax = 20;
/** Proxies and consoles give a silent connection up. */
export const heartbeatMs = 15_000;
/** What may wait in a slow connection before events are left out. */
export const bufferedBytesMax = 256 * 1024;

export type EventStreams = {
  /** Ends every stream, so that the server can close. */
  close(): void;
};

/** Server-sent events: every event of the bus that is in the caller's data scope, as it happens. */
export function bindEvents({ bindStream }: Binder, context: Context, sessions: Sessions): EventStreams {
  const streams = new Map<UserId, Set<Stream>>();

  bindStream(streamEvents, async (call, reply) => {
    const own = streams.get(call.caller.userId) ?? new Set();
    if (own.size >= streamsPerUserMax) return failed({ code: 'request.too_many', params: { seconds: 30 } });
    streams.set(call.caller.userId, own);
    const stream = openStream(context, sessions, call, reply, () => {
      own.delete(stream);
      if (own.size === 0) streams.delete(call.caller.userId);
    });
    own.add(stream);
    return ok(null);
  });
  sessions.whenForgotten((userId) => {
    for (const stream of [...(streams.get(userId) ?? [])]) stream.lookAtSession();
  });

  return {
    close() {
      for (const own of [...streams.values()]) for (const stream of [...own]) stream.end();
    },
  };
}

/** `lookAtSession`: the caller's session may have ended, or what the caller may see may have changed. */
type Stream = { end(): void; lookAtSession(): void };

function openStream(
  context: Context,
  sessions: Sessions,
  { caller, token }: Call<typeof streamEvents>,
  reply: FastifyReply,
  onEnd: () => void,
): Stream {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would gather events otherwise.
    'x-accel-buffering': 'no',
  });
  raw.write(': hello\n\n');

  let agents = caller.agents;
  let hasMissed = false;
  const isFull = () => raw.writableLength > bufferedBytesMax;
  const send = (event: ConsoleEvent) => raw.write(textOf(event));
  const hear = (scoped: ScopedEvent) => {
    const concerns = 'userId' in scoped ? scoped.userId === caller.userId : isInScope({ agents }, scoped.agentId);
    if (!concerns) return;
    if (isFull()) hasMissed = true;
    else send(scoped.event);
  };
  raw.on('drain', () => {
    if (!hasMissed) return;
    hasMissed = false;
    send({ kind: 'missed' });
  });
  const stopHearing = context.bus.subscribe(hear);
  // A stream lives no longer than its session and hears no more than its caller may see by now.
  const lookAtSession = () => {
    sessions.find(token ?? '', context.now()).then(
      (session) => {
        if (session.ok) agents = session.value.agents;
        else end();
      },
      (error: unknown) => context.log.warn({ err: error }, 'a stream’s session could not be looked at'),
    );
  };
  const heartbeat = setInterval(() => {
    if (!isFull()) raw.write(': still here\n\n');
    lookAtSession();
  }, heartbeatMs);

  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    clearInterval(heartbeat);
    stopHearing();
    onEnd();
    raw.end();
  };
  raw.on('close', end);
  raw.on('error', end);
  // Gone while its session was looked up: nothing more would tell.
  if (raw.destroyed) queueMicrotask(end);
  return { end, lookAtSession };
}

const texts = new WeakMap<ConsoleEvent, string>();

/** Written once for all the consoles that hear it. */
function textOf(event: ConsoleEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = `data: ${JSON.stringify(event)}\n\n`;
  texts.set(event, text);
  return text;
}
