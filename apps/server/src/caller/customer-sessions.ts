import { createHash, randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import type { CustomerId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, secondMs, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { CustomerCaller } from './customer-caller.ts';

/** Idle lifetime: a phone that charges once a season stays signed in. */
export const customerSessionIdleMs = 90 * dayMs;
/** Lifetime of a cached session, after which an ending on another node is noticed. */
export const customerSessionKeptMs = 5 * secondMs;
/** Open sessions of one customer; beyond it the oldest ends. */
export const customerSessionsMax = 10;
const cachedMax = 20_000;
const tokenLengthMax = 200;
/** Writing the last use at every request would cost more than most requests. */
const touchedEveryMs = hourMs;

export type CustomerOfSession = Omit<CustomerCaller, 'language' | 'remoteAddress'>;

export type CustomerSessions = {
  find(token: string, at: Instant): Promise<Result<CustomerOfSession, ApiError>>;
  /** Opens a session and returns its token, which is not stored in readable form. */
  open(
    trx: Trx,
    customerId: CustomerId,
    at: Instant,
    origin: { remoteAddress: string; userAgent: string },
  ): Promise<string>;
  endOne(token: string, at: Instant): Promise<void>;
};

/** 256 random bits, stored as their SHA-256: a copy of the database opens no session. */
export function createCustomerSessions(db: Kysely<Tables>): CustomerSessions {
  const cache = new Map<string, { customer: CustomerOfSession; readAt: Instant; expiresAt: Instant }>();

  const keep = (key: string, entry: { customer: CustomerOfSession; readAt: Instant; expiresAt: Instant }) => {
    cache.delete(key);
    if (cache.size >= cachedMax) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest);
        break;
      }
    }
    cache.set(key, entry);
  };

  return {
    async find(token, at) {
      if (token.length > tokenLengthMax) return failed({ code: 'session.missing' });
      const tokenHash = hashToken(token);
      const key = tokenHash.toString('base64');
      const cached = cache.get(key);
      if (
        cached !== undefined &&
        at - cached.readAt < customerSessionKeptMs &&
        cached.readAt <= at &&
        cached.expiresAt > at
      ) {
        return ok(cached.customer);
      }
      const row = await db
        .selectFrom('customer_sessions as s')
        .innerJoin('customers as c', 'c.id', 's.customer_id')
        .select(['s.id', 's.expires_at', 's.last_used_at', 's.ended_at', 's.ended_because'])
        .select(['c.id as customerId', 'c.phone', 'c.nickname', 'c.state', 'c.created_at as createdAt'])
        .where('s.token_hash', '=', tokenHash)
        .executeTakeFirst();
      if (row === undefined || row.ended_because === 'logout') return failed({ code: 'session.missing' });
      if (row.state === 'disabled') return failed({ code: 'my.disabled' });
      // Of a merged customer too, whom signing in tells more.
      if (row.ended_at !== null || row.state !== 'normal') return failed({ code: 'session.replaced' });
      if (row.expires_at <= at) return failed({ code: 'session.expired' });
      let expiresAt = row.expires_at;
      if (at - row.last_used_at > touchedEveryMs) {
        expiresAt = instant(at + customerSessionIdleMs);
        await db
          .updateTable('customer_sessions')
          .set({ last_used_at: at, expires_at: expiresAt })
          .where('id', '=', row.id)
          .where('ended_at', 'is', null)
          .execute();
      }
      const { customerId, phone, nickname } = row;
      const customer: CustomerOfSession = {
        customerId,
        agents: [],
        phone,
        nickname,
        createdAt: toIso(row.createdAt),
        sessionId: row.id as CustomerOfSession['sessionId'],
        userId: null,
      };
      keep(key, { customer, readAt: at, expiresAt });
      return ok(customer);
    },

    async open(trx, customerId, at, { remoteAddress, userAgent }) {
      const token = randomBytes(32).toString('base64url');
      await trx
        .insertInto('customer_sessions')
        .values({
          customer_id: customerId,
          token_hash: hashToken(token),
          created_at: at,
          last_used_at: at,
          expires_at: instant(at + customerSessionIdleMs),
          remote_address: remoteAddress,
          user_agent: userAgent,
        })
        .execute();
      await sql`
        update customer_sessions set ended_at = to_timestamp(${at} / 1000.0), ended_because = 'too_many'
         where id in (select id from customer_sessions where customer_id = ${customerId} and ended_at is null
                       order by id desc offset ${customerSessionsMax})`.execute(trx);
      return token;
    },

    async endOne(token, at) {
      const tokenHash = hashToken(token);
      await db
        .updateTable('customer_sessions')
        .set({ ended_at: at, ended_because: 'logout' })
        .where('token_hash', '=', tokenHash)
        .where('ended_at', 'is', null)
        .execute();
      cache.delete(tokenHash.toString('base64'));
    },
  };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
