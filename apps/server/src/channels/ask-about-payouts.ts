import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import type { ChannelRoom, PayoutId } from './channel-room.ts';
import { takeReturnFound } from './take-return-found.ts';

/** A payout that its channel refused, as it stood when the channel was asked about it again. */
export type RefusedPayout = {
  id: PayoutId;
  endedAt: Instant | null;
  /** False where the channel has no such number, so that it takes the same one again. */
  isKnown: boolean;
};

/** What the channel says of the payouts of a withdrawal now. */
export type EarlierPayouts =
  /** None was made, and none will be. */
  | { outcome: 'over'; payouts: readonly RefusedPayout[] }
  /** One was made after all. That is written down already, with what it means for the withdrawal. */
  | { outcome: 'paid' }
  /** One can still be made. */
  | { outcome: 'open' }
  | { outcome: 'off' }
  | { outcome: 'unknown' };

export const noEarlierPayouts: EarlierPayouts = { outcome: 'over', payouts: [] };

/**
 * Asks the channel about every payout of a withdrawal that it refused: a refusal may have been for the moment, and a
 * payout that was called failed may have been made. What is found done is acted on as if the channel had told it. What a
 * person has checked at its channel counts where the channel is off or reports another amount.
 */
export async function askAboutPayouts(room: ChannelRoom, withdrawalId: WithdrawalId): Promise<EarlierPayouts> {
  const asked: RefusedPayout[] = [];
  for (const { id, number, channel: name, state, endedAt, checkedAt } of await payoutsOf(room.db, withdrawalId)) {
    if (state === 'done') return { outcome: 'paid' };
    if (state === 'processing') return { outcome: 'open' };
    const channel = room.channels.get(name);
    if (channel === undefined) {
      if (checkedAt === null) return { outcome: 'off' };
      asked.push({ id, endedAt, isKnown: true });
      continue;
    }
    const answer = await channel.queryPayout(number);
    if (answer.outcome !== 'answered') return { outcome: 'unknown' };
    const found = answer.answer;
    if (found.state === 'processing') return { outcome: 'open' };
    if (found.state === 'done') {
      const at = room.now();
      const taken = await transact(room.db, async (trx) =>
        ok(await takeReturnFound(trx, room, { kind: 'payout', channel: name, number, found }, at)),
      );
      if (!taken.ok) return { outcome: 'unknown' };
      taken.value.afterCommit();
      if (taken.value.outcome !== 'amount_differs') return { outcome: 'paid' };
      // Another amount than ours was paid: a person has to find out what it was.
      if (checkedAt === null) return { outcome: 'unknown' };
    }
    asked.push({ id, endedAt, isKnown: found.state !== 'absent' });
  }
  return { outcome: 'over', payouts: asked };
}

/** Locks the payouts of a withdrawal. It comes before the lock of the withdrawal, as it does where a payout ends. */
export async function lockPayouts(trx: Trx, withdrawalId: WithdrawalId): Promise<void> {
  await trx
    .selectFrom('channel_payouts')
    .select('id')
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Whether the payouts of a withdrawal, which is locked, are still those that the channel was asked about. */
export async function areSamePayouts(
  trx: Trx,
  withdrawalId: WithdrawalId,
  asked: readonly RefusedPayout[],
): Promise<boolean> {
  const now = await payoutsOf(trx, withdrawalId);
  return (
    now.length === asked.length &&
    now.every(({ id, state, endedAt }, at) => {
      const then = asked[at];
      return state === 'failed' && id === then?.id && endedAt === then.endedAt;
    })
  );
}

function payoutsOf(db: Kysely<Tables>, withdrawalId: WithdrawalId) {
  return db
    .selectFrom('channel_payouts')
    .select(['id', 'number', 'channel', 'state', 'ended_at as endedAt', 'checked_at as checkedAt'])
    .where('withdrawal_id', '=', withdrawalId)
    .orderBy('id')
    .execute();
}
