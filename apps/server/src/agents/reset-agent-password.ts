import type { resetAgentPassword as route } from '@voltdeck/contract/agents';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { AgentId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { resetPassword } from '../access/users/reset-password.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { lockAgentBelow } from './lock-agent-below.ts';

export type PasswordReset = AnswerOf<typeof route> & {
  /** Call `forgetCached` of the sessions for this user after the commit. */
  userId: UserId;
};

/** Gives the main account of an agent a new initial password, which appears only in the answer. */
export async function resetAgentPassword(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: AgentId,
  at: Instant,
): Promise<Result<PasswordReset, ApiError>> {
  const locked = await lockAgentBelow(trx, caller, id);
  if (!locked.ok) return locked;
  const { user_id: userId } = locked.value;
  if (userId === null) return failed({ code: 'agent.no_account' });
  const reset = await resetPassword(trx, sessions, caller, userId, {}, at);
  if (!reset.ok) return reset;
  const { initialPassword } = reset.value;
  if (initialPassword === null) throw new Error('a reset made no password');
  return ok({ initialPassword, userId });
}
