import type { resetDividerPassword as route } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { DividerId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { resetPassword } from '../access/users/reset-password.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { accountOf, lockDivider } from './lock-divider.ts';

export type PasswordReset = AnswerOf<typeof route> & {
  /** Call `forgetCached` of the sessions for this user after the commit. */
  userId: UserId;
};

/** Gives the account of a divider a new initial password, which appears only in the answer. */
export async function resetDividerPassword(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: DividerId,
  at: Instant,
): Promise<Result<PasswordReset, ApiError>> {
  const locked = await lockDivider(trx, caller, id);
  if (!locked.ok) return locked;
  const account = await accountOf(trx, id);
  if (account === null) return failed({ code: 'divider.no_account' });
  const reset = await resetPassword(trx, sessions, caller, account.id, {}, at);
  if (!reset.ok) return reset;
  const { initialPassword } = reset.value;
  if (initialPassword === null) throw new Error('a reset made no password');
  return ok({ initialPassword, userId: account.id });
}
