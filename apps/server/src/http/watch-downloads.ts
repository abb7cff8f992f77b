import type { UserId } from '@voltdeck/units/id';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../caller/caller.ts';
import { type SessionCaller, type Sessions, sessionKeptMs } from '../caller/sessions.ts';
import type { Context } from '../context.ts';

/** Breaks a file off when its caller's session has ended or `mayHave` says no to what the caller is by now. */
type WatchDownload = (
  call: { caller: Pick<Caller, 'userId'>; token: string | null },
  reply: FastifyReply,
  mayHave: (now: SessionCaller) => boolean,
) => void;

/** Looks at the sessions of those who download: when one may have ended on this node, and every few seconds for others. */
export function watchDownloads(context: Pick<Context, 'now' | 'log'>, sessions: Sessions): WatchDownload {
  const looks = new Map<UserId, Set<() => void>>();
  sessions.whenForgotten((userId) => {
    for (const look of [...(looks.get(userId) ?? [])]) look();
  });
  return ({ caller: { userId }, token }, { raw }, mayHave) => {
    // Nobody tells any more that it was closed.
    if (raw.destroyed) return;
    const look = () => {
      sessions.find(token ?? '', context.now()).then(
        (session) => {
          if (!session.ok || !mayHave(session.value)) raw.destroy();
        },
        (error: unknown) => context.log.warn({ err: error }, 'a download’s session could not be looked at'),
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
