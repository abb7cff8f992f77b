import type { ApiError } from '@voltdeck/contract/errors';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Caller } from '../caller/caller.ts';
import {
  areSamePayouts,
  askAboutPayouts,
  type EarlierPayouts,
  noEarlierPayouts,
} from '../channels/ask-about-payouts.ts';
import type { ChannelRoom } from '../channels/channel-room.ts';
import type { Trx } from '../database/transact.ts';

/** Asks the channel about the payouts of a withdrawal that it refused, before its money goes another way. */
export async function askAboutEarlier(room: ChannelRoom, caller: Caller, id: WithdrawalId): Promise<EarlierPayouts> {
  if (caller.agents !== 'all') return noEarlierPayouts;
  const row = await room.db
    .selectFrom('withdrawals')
    .select(['state', 'frozen'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state === 'failed' && row.frozen ? askAboutPayouts(room, id) : noEarlierPayouts;
}

/** As `askAboutEarlier` for each, in this order, up to the first that is not over. */
export async function askAboutEach(
  room: ChannelRoom,
  caller: Caller,
  ids: readonly WithdrawalId[],
): Promise<ReadonlyMap<WithdrawalId, EarlierPayouts>> {
  const each = new Map<WithdrawalId, EarlierPayouts>();
  for (const id of ids) {
    const earlier = await askAboutEarlier(room, caller, id);
    each.set(id, earlier);
    if (earlier.outcome !== 'over') break;
  }
  return each;
}

/**
 * Why the money of a withdrawal must not go another way: an earlier payout was made, or nobody knows that it was not.
 * The withdrawal and its payouts are locked.
 */
export async function whyHeldByEarlier(trx: Trx, id: WithdrawalId, earlier: EarlierPayouts): Promise<ApiError | null> {
  switch (earlier.outcome) {
    case 'paid':
      return { code: 'withdrawal.paid_by_channel' };
    case 'open':
      return { code: 'withdrawal.being_paid' };
    case 'off':
      return { code: 'withdrawal.payout_channel_off' };
    case 'unknown':
      return { code: 'withdrawal.payout_unknown' };
    case 'over':
      // Somebody else has retried it since the question.
      return (await areSamePayouts(trx, id, earlier.payouts)) ? null : { code: 'withdrawal.being_paid' };
  }
}
