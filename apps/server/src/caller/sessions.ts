import { createHash, randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import type { SessionId, UserId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { MenuNode } from './open-menus.ts';
import { readOpenMenus, rightsColumns, rightsOf, type UserRights } from './user-rights.ts';

/** Idle session lifetime. */
export const sessionIdleMs = 12 * hourMs;
/** Absolute session lifetime, however much it is used. */
export const sessionAbsoluteMs = 30 * dayMs;
/** Lifetime of a cached session, after which a revocation on another node is noticed. */
export const sessionKeptMs = 5 * secondMs;
const cachedMax = 10_000;
const tokenLengthMax = 200;
/** Writing the last use at every request would cost more than most requests. */
const touchedEveryMs = minuteMs;

export type SessionCaller = UserRights & {
  sessionId: SessionId;
  /** Someone else set the password: only calls that change it are answered. */
  mustChangePassword: boolean;
};
type EndReason = 'logout' | 'password_changed' | 'ended_by_admin' | 'disabled';

export type Sessions = {
  find(token: string, at: Instant): Promise<Result<SessionCaller, ApiError>>;
  /** The user whose ended session this token opened; null when it never opened one or still does. */
  ownerOfEnded(token: string): Promise<UserId | null>;
  /** Opens a session and returns its token, which is not stored in readable form. */
  open(
    trx: Trx,
    userId: UserId,
    at: Instant,
    origin: { remoteAddress: string; userAgent: string },
  ): Promise<{ token: string; sessionId: SessionId }>;
  endOne(token: string, at: Instant, because: EndReason): Promise<void>;
  /** Ends every session of a user and returns how many were open. Call `forgetCached` after the commit. */
  endAll(trx: Trx, userId: UserId, at: Instant, because: EndReason): Promise<number>;
  /** Ends every session of a user but this one, as if signed out. Call `forgetCached` after the commit. */
  endOthers(trx: Trx, userId: UserId, token: string, at: Instant): Promise<void>;
  forgetCached(userId: UserId): void;
  /** After a change of rights or menus: everybody's are read again at their next request. */
  forgetRights(): void;
  /** Calls `listener` whenever a session of a user may have ended on this node. */
  whenForgotten(listener: (userId: UserId) => void): void;
};

/** 256 random bits, stored as their SHA-256: a copy of the database opens no session. */
export function createSessions(db: Kysely<Tables>): Sessions {
  const cache = new Map<string, { caller: SessionCaller; readAt: Instant; expiresAt: Instant }>();
  /** Sessions being read, since a page sends several requests at once. */
  const readings = new Map<string, { result: Promise<Result<SessionCaller, ApiError>>; endings: number }>();
  /** Rises whenever sessions end: a read that began earlier is not cached. */
  let endings = 0;
  const listeners: ((userId: UserId) => void)[] = [];
  let menus: { open: Promise<ReadonlyMap<string, MenuNode>>; readAt: Instant } | null = null;

  /** Cached, because hundreds of sessions are read between two changes of a menu. */
  const findOpenMenus = (at: Instant): Promise<ReadonlyMap<string, MenuNode>> => {
    if (menus !== null && at - menus.readAt < sessionKeptMs && menus.readAt <= at) return menus.open;
    const reading = { open: readOpenMenus(db), readAt: at };
    menus = reading;
    reading.open.catch(() => {
      if (menus === reading) menus = null;
    });
    return reading.open;
  };

  const forget = (userId: UserId): void => {
    endings += 1;
    for (const [key, { caller }] of cache) if (caller.userId === userId) cache.delete(key);
    for (const listener of listeners) listener(userId);
  };

  const read = async (tokenHash: Buffer, at: Instant): Promise<Result<SessionCaller, ApiError>> => {
    const endingsBefore = endings;
    const row = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('positions', 'positions.id', 'users.position_id')
      .select([
        ...rightsColumns,
        'users.password_is_initial',
        'sessions.id as session_id',
        'sessions.created_at',
        'sessions.expires_at',
        'sessions.last_used_at',
        'sessions.ended_at',
        'sessions.ended_because',
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (row === undefined) return failed({ code: 'session.missing' });
    if (row.ended_at !== null) {
      return failed({ code: row.ended_because === 'logout' ? 'session.missing' : 'session.replaced' });
    }
    if (row.expires_at <= at) return failed({ code: 'session.expired' });
    if (!row.enabled) return failed({ code: 'session.replaced' });
    const caller: SessionCaller = {
      ...(await rightsOf(db, row, await findOpenMenus(at))),
      sessionId: row.session_id,
      mustChangePassword: row.password_is_initial,
    };
    let expiresAt = row.expires_at;
    if (at - row.last_used_at > touchedEveryMs) {
      expiresAt = instant(Math.min(at + sessionIdleMs, row.created_at + sessionAbsoluteMs));
      await db
        .updateTable('sessions')
        .set({ last_used_at: at, expires_at: expiresAt })
        .where('token_hash', '=', tokenHash)
        .where('ended_at', 'is', null)
        .execute();
    }
    if (endings !== endingsBefore) return ok(caller);
    const key = tokenHash.toString('base64');
    cache.delete(key);
    if (cache.size >= cachedMax) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest);
        break;
      }
    }
    cache.set(key, { caller, readAt: at, expiresAt });
    return ok(caller);
  };

  return {
    async find(token, at) {
      if (token.length > tokenLengthMax) return failed({ code: 'session.missing' });
      const tokenHash = hashToken(token);
      const key = tokenHash.toString('base64');
      const cached = cache.get(key);
      if (cached !== undefined && at - cached.readAt < sessionKeptMs && cached.readAt <= at && cached.expiresAt > at) {
        return ok(cached.caller);
      }
      const running = readings.get(key);
      if (running !== undefined && running.endings === endings) return running.result;
      const reading = { result: read(tokenHash, at), endings };
      readings.set(key, reading);
      try {
        return await reading.result;
      } finally {
        if (readings.get(key) === reading) readings.delete(key);
      }
    },
    async ownerOfEnded(token) {
      const row = await db
        .selectFrom('sessions')
        .select('user_id')
        .where('token_hash', '=', hashToken(token.slice(0, tokenLengthMax)))
        .where('ended_at', 'is not', null)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async open(trx, userId, at, origin) {
      const token = randomBytes(32).toString('base64url');
      const { id: sessionId } = await trx
        .insertInto('sessions')
        .values({
          token_hash: hashToken(token),
          user_id: userId,
          created_at: at,
          last_used_at: at,
          expires_at: instant(at + sessionIdleMs),
          remote_address: origin.remoteAddress,
          user_agent: origin.userAgent,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { token, sessionId };
    },
    async endOne(token, at, because) {
      const ended = await db
        .updateTable('sessions')
        .set({ ended_at: at, ended_because: because })
        .where('token_hash', '=', hashToken(token))
        .where('ended_at', 'is', null)
        .returning('user_id')
        .executeTakeFirst();
      if (ended !== undefined) forget(ended.user_id);
    },
    async endAll(trx, userId, at, because) {
      const ended = await trx
        .updateTable('sessions')
        .set({ ended_at: at, ended_because: because })
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .returning('expires_at')
        .execute();
      return ended.filter((session) => session.expires_at > at).length;
    },
    async endOthers(trx, userId, token, at) {
      await trx
        .updateTable('sessions')
        .set({ ended_at: at, ended_because: 'logout' })
        .where('user_id', '=', userId)
        .where('token_hash', '!=', hashToken(token))
        .where('ended_at', 'is', null)
        .execute();
    },
    forgetCached: forget,
    forgetRights() {
      menus = null;
      endings += 1;
      const users = new Set([...cache.values()].map(({ caller }) => caller.userId));
      cache.clear();
      for (const userId of users) for (const listener of listeners) listener(userId);
    },
    whenForgotten(listener) {
      listeners.push(listener);
    },
  };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
