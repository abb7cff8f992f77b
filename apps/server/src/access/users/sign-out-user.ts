import type { ApiError } from '@voltdeck/contract/errors';
import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Sessions } from '../../caller/sessions.ts';
import type { Trx } from '../../database/transact.ts';
import { lockUser } from './lock-user.ts';

/** Ends every session of a user. Call `forgetCached` of the sessions after the commit. */
export async function signOutUser(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: UserId,
  at: Instant,
): Promise<Result<{ ended: number }, ApiError>> {
  const locked = await lockUser(trx, caller, id);
  if (!locked.ok) return locked;
  const ended = await sessions.endAll(trx, id, at, 'ended_by_admin');
  await audit(trx, caller, at, { action: 'user.sign_out', recordKind: 'user', recordId: id, after: { ended } });
  return ok({ ended });
}
