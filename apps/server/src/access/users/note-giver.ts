import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';

/** Keeps who gave a user a way in: the account, a password or a phone. Nobody gives themselves one. */
export async function noteGiver(trx: Trx, caller: Pick<Caller, 'userId'>, userId: UserId, at: Instant): Promise<void> {
  if (userId === caller.userId) return;
  await trx.insertInto('access_givers').values({ user_id: userId, giver_id: caller.userId, at }).execute();
}
