import type { FastifyReply } from 'fastify';

/** Aborts when the reply's connection ends, whether it was answered or its reader left. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A reader that left earlier emits no event any more.
  if (raw.destroyed) gone.abort();
  else raw.once('close', () => gone.abort());
  return gone.signal;
}
