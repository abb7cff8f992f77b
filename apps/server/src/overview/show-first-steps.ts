import type { ApiError } from '@voltdeck/contract/errors';
import { ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

/** Puts the caller's list of first steps away, or brings it back. Like arranged columns it concerns nobody else. */
export async function showFirstSteps(
  trx: Trx,
  { userId }: Pick<Caller, 'userId'>,
  shown: boolean,
): Promise<Result<null, ApiError>> {
  await trx.updateTable('users').set({ first_steps_hidden: !shown }).where('id', '=', userId).execute();
  return ok(null);
}
