import type { UserId } from '@voltdeck/units/id';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller/caller.ts';
import { type SessionCaller, type Sessions, sessionKeptMs } from '../caller/sessions.ts';
import type { Context } from '../context.ts';

/** Cuts off a download when its caller's session has ended or `mayHave` refuses the caller's present rights. */
type WatchDownload = (
  call: { caller: Pick<Caller, 'userId'>; token: string | null },
  reply: FastifyReply,
  mayHave: (now: SessionCaller) => boolean,
) => void;

/**
 * Checks the sessions of downloads: at once when one may have ended on this node, and every few seconds for other
 * nodes.
 */
export function watchDownloads(context: Pick<Context, 'now' | 'log'>, sessions: Sessions): WatchDownload {
  const looks = new Map<UserId, Set<() => void>>();
  sessions.whenForgotten((userId) => {
    for (const look of [...(looks.get(userId) ?? [])]) look();
  });
  return ({ caller: { userId }, token }, { raw }, mayHave) => {
    // An already closed response emits no event any more.
    if (raw.destroyed) return;
    const look = () => {
      sessions.find(token ?? '', context.now()).then(
        (session) => {
          if (!session.ok || !mayHave(session.value)) raw.destroy();
        },
        (error: unknown) => context.log.warn({ err: error }, 'checking a download’s session failed'),
      );
    };
    const own = looks.get(userId) ?? new Set();
    own.add(look);
    looks.set(userId, own);
    const looking = setInterval(look, sessionKeptMs);
    raw.once('close', () => {
      clearInterval(looking);
      own.delete(look);
      if (own.size === 0) looks.delete(userId);
    });
  };
}
