import type { ApiError } from '@voltdeck/contract/errors';
import type { WithdrawalId } from '@voltdeck/units/id';
import { secondMs } from '@voltdeck/units/instant';
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

/** How many withdrawals a channel is asked about at once. */
const askedAtOnceMax = 4;

/** How long withdrawals are asked about in one request; a question that has begun is still waited for. */
export const askingMsMax = 20 * secondMs;

/**
 * As `askAboutEarlier` for each, the smallest id first, up to the first that is not over. Null for those that there was
 * no time to ask about; one that needs no question is absent.
 */
export async function askAboutEach(
  room: ChannelRoom,
  caller: Caller,
  ids: readonly WithdrawalId[],
): Promise<ReadonlyMap<WithdrawalId, EarlierPayouts | null>> {
  const each = new Map<WithdrawalId, EarlierPayouts | null>();
  if (caller.agents !== 'all' || ids.length === 0) return each;
  const refused = await room.db
    .selectFrom('withdrawals')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'failed')
    .where('frozen', '=', true)
    .orderBy('id')
    .execute();
  const turn: Turn = { ids: refused.map(({ id }) => id), each, endsAt: room.now() + askingMsMax };
  await Promise.all(Array.from({ length: askedAtOnceMax }, () => askInTurn(room, turn)));
  return each;
}

type Turn = { ids: WithdrawalId[]; each: Map<WithdrawalId, EarlierPayouts | null>; endsAt: number };

async function askInTurn(room: ChannelRoom, { ids, each, endsAt }: Turn): Promise<void> {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    const earlier = room.now() < endsAt ? await askAboutPayouts(room, id) : null;
    each.set(id, earlier);
    if (earlier !== null && earlier.outcome !== 'over') ids.length = 0;
  }
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
