import type { ApiError } from '@voltdeck/contract/errors';
import type { SessionId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { isManageable } from './users/lock-user.ts';

/**
 * Ends one open session of the caller's own people; a session that has ended is left alone. Refused for a user with
 * more rights than the caller.
 * @returns its user: call `forgetCached` of the sessions after the commit.
 */
export async function endSession(
  trx: Trx,
  caller: Caller,
  sessionId: SessionId,
  at: Instant,
): Promise<Result<UserId, ApiError>> {
  const sessions = trx.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id');
  const session = await scoped(sessions, caller, 'users.agent_id')
    .select(['users.id as userId', 'users.admin', 'users.position_id as positionId', 'sessions.ended_at'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
  if (session === undefined) return failed({ code: 'record.not_found' });
  if (!(await isManageable(trx, caller, session))) return failed({ code: 'position.beyond_own' });
  if (session.ended_at !== null) return ok(session.userId);
  await trx
    .updateTable('sessions')
    .set({ ended_at: at, ended_because: 'ended_by_admin' })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
  await audit(trx, caller, at, {
    action: 'session.end',
    recordKind: 'session',
    recordId: sessionId,
    before: { userId: session.userId },
  });
  return ok(session.userId);
}
