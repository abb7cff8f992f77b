import { listSignIns, type SessionState } from '@voltdeck/contract/audit';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { contains } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { findsName } from '../personal/sees-personal.ts';
import { readUserAgent } from './user-agent.ts';

function signInsWithSessions(db: Kysely<Tables>) {
  return db
    .selectFrom('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('sessions', 'sessions.id', 'sign_ins.session_id');
}

/** Sign-in attempts of the caller's own people, and the state of their sessions. */
export const signInList = listSource({
  route: listSignIns,
  filtered(db, caller, { name, userId, result, remoteAddress, open, ...filter }, at) {
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    let signIns = scoped(signInsWithSessions(db), caller, 'users.agent_id');
    if (from !== null) signIns = signIns.where('sign_ins.at', '>=', from);
    if (to !== null) signIns = signIns.where('sign_ins.at', '<=', to);
    if (name !== undefined) {
      signIns = signIns.where((eb) =>
        eb.or(
          (['sign_ins.name', 'users.user_name'] as const).map((column) =>
            findsName(caller, column, name, contains(column, name)),
          ),
        ),
      );
    }
    if (userId !== undefined) signIns = signIns.where('sign_ins.user_id', '=', userId);
    if (result !== undefined) signIns = signIns.where('sign_ins.result', 'in', result);
    if (remoteAddress !== undefined) {
      signIns = signIns.where('sign_ins.remote_address', 'like', containing(remoteAddress));
    }
    if (open !== undefined) {
      const isOpen = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > to_timestamp(${at} / 1000.0))`;
      signIns = signIns.where(open ? isOpen : sql<boolean>`${isOpen} is not true`);
    }
    return signIns;
  },
  id: sql`sign_ins.id`,
  sorts: { at: sql`sign_ins.at` },
  rows: (db, { language }) =>
    signInsWithSessions(db).select([
      'sign_ins.id',
      'sign_ins.at',
      'sign_ins.name',
      'sign_ins.result',
      'sign_ins.remote_address as remoteAddress',
      'sign_ins.user_agent as userAgent',
      'sign_ins.user_id as userId',
      'sign_ins.session_id as sessionId',
      'users.user_name as userName',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('realName'),
      'sessions.last_used_at as lastUsedAt',
      'sessions.expires_at as expiresAt',
      'sessions.ended_because as endedBecause',
    ]),
  toItem: ({ expiresAt, endedBecause, ...row }, { at, sessionId }) => ({
    ...row,
    ...readUserAgent(row.userAgent),
    at: toIso(row.at),
    sessionState: row.sessionId === null ? null : stateOf({ expiresAt, endedBecause }, at),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    isThis: row.sessionId !== null && row.sessionId === sessionId,
  }),
});

/** A session that is no longer stored expired long ago. */
function stateOf(
  session: { expiresAt: Instant | null; endedBecause: Tables['sessions']['ended_because'] },
  at: Instant,
): SessionState {
  if (session.endedBecause !== null) return session.endedBecause;
  return session.expiresAt === null || session.expiresAt <= at ? 'expired' : 'open';
}
