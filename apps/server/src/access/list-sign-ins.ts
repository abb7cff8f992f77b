import type { listSignIns, SessionState, SignInEntry } from '@voltdeck/contract/audit';
import type { QueryOf } from '@voltdeck/contract/route';
import type { SessionId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';
import { readUserAgent } from './user-agent.ts';

type Joined = Tables & { users: Tables['users'] | null; sessions: Tables['sessions'] | null };

/** A page of attempts to sign in, those of the caller's own people, and what became of the sessions. */
export async function listSignInPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listSignIns>,
  span: Span,
  own: SessionId,
  at: Instant,
) {
  const joined = db
    .selectFrom('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('sessions', 'sessions.id', 'sign_ins.session_id');
  const filtered = filterSignIns(scoped(joined, caller, 'users.agent_id'), filter, at);
  const { direction } = sortOf(filter.sort ?? '-at');
  const [rows, total] = await Promise.all([
    filtered
      .select([
        'sign_ins.id',
        'sign_ins.at',
        'sign_ins.name',
        'sign_ins.result',
        'sign_ins.remote_address as remoteAddress',
        'sign_ins.user_agent as userAgent',
        'sign_ins.user_id as userId',
        'sign_ins.session_id as sessionId',
        'users.user_name as userName',
        'users.real_name as realName',
        'sessions.last_used_at as lastUsedAt',
        'sessions.expires_at as expiresAt',
        'sessions.ended_because as endedBecause',
      ])
      .orderBy('sign_ins.at', direction)
      .orderBy('sign_ins.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return {
    items: rows.map(
      ({ expiresAt, endedBecause, ...row }): SignInEntry => ({
        ...row,
        ...readUserAgent(row.userAgent),
        at: toIso(row.at),
        sessionState: row.sessionId === null ? null : stateOf({ expiresAt, endedBecause }, at),
        lastUsedAt: row.lastUsedAt === null ? null : toIso(row.lastUsedAt),
        isThis: row.sessionId === own,
      }),
    ),
    ...total,
  };
}

/** A session that is no longer kept has expired long ago. */
function stateOf(
  session: { expiresAt: Instant | null; endedBecause: Tables['sessions']['ended_because'] },
  at: Instant,
): SessionState {
  if (session.endedBecause !== null) return session.endedBecause;
  return session.expiresAt === null || session.expiresAt <= at ? 'expired' : 'open';
}

function filterSignIns<O>(
  query: SelectQueryBuilder<Joined, 'sign_ins' | 'users' | 'sessions', O>,
  filter: QueryOf<typeof listSignIns>,
  at: Instant,
) {
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  const { name, userId, result, remoteAddress, open } = filter;
  return query
    .$if(from !== null, (some) => some.where('sign_ins.at', '>=', from as Instant))
    .$if(to !== null, (some) => some.where('sign_ins.at', '<=', to as Instant))
    .$if(name !== undefined, (some) =>
      some.where((eb) =>
        eb.or([
          eb('sign_ins.name', 'ilike', containing(name ?? '')),
          eb('users.user_name', 'ilike', containing(name ?? '')),
        ]),
      ),
    )
    .$if(userId !== undefined, (some) => some.where('sign_ins.user_id', '=', userId ?? null))
    .$if(result !== undefined, (some) => some.where('sign_ins.result', 'in', result ?? []))
    .$if(remoteAddress !== undefined, (some) =>
      some.where('sign_ins.remote_address', 'like', containing(remoteAddress ?? '')),
    )
    .$if(open !== undefined, (some) => {
      const isOpen = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > to_timestamp(${at} / 1000.0))`;
      return some.where(open === true ? isOpen : sql<boolean>`${isOpen} is not true`);
    });
}
