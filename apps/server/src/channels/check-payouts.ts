import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { WithdrawalAttention } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';
import type { PayoutId } from './channel-room.ts';
import type { PaymentChannels } from './payment-channel.ts';
import { contradictionCodes } from './take-return-found.ts';

/**
 * The payouts of a withdrawal, which are locked, whose end only a person can find out: their channel is off, or reported
 * another amount than was asked for. The last one first. `isOtherOpen`: a channel that is on may still pay another one.
 */
export async function findUnclearPayouts(
  trx: Trx,
  channels: PaymentChannels,
  withdrawal: { id: WithdrawalId; attention: string | null },
): Promise<{ unclear: readonly { id: PayoutId; number: string }[]; isOtherOpen: boolean }> {
  const payouts = await trx
    .selectFrom('channel_payouts')
    .select(['id', 'number', 'channel', 'state', 'result_code as resultCode', 'checked_at as checkedAt'])
    .where('withdrawal_id', '=', withdrawal.id)
    .where('state', '<>', 'done')
    .orderBy('id', 'desc')
    .execute();
  const hasOtherAmount = withdrawal.attention === ('amount_differs' satisfies WithdrawalAttention);
  const isUnclear = ({ channel, state, resultCode, checkedAt }: (typeof payouts)[number]) => {
    if (checkedAt !== null) return false;
    if (!channels.has(channel as PaymentChannelName)) return true;
    return hasOtherAmount && (state === 'processing' || resultCode === contradictionCodes.amountDiffers);
  };
  // What was reported with another amount was made, so it comes before what nobody has heard of.
  const unclear = payouts
    .filter(isUnclear)
    .sort(
      (a, b) =>
        Number(b.resultCode === contradictionCodes.amountDiffers) -
        Number(a.resultCode === contradictionCodes.amountDiffers),
    );
  return { unclear, isOtherOpen: payouts.some((payout) => payout.state === 'processing' && !isUnclear(payout)) };
}

/** Ends a payout as a person found it at its channel, which is not asked for it again. */
export async function endAsChecked(trx: Trx, id: PayoutId, state: 'done' | 'failed', at: Instant): Promise<void> {
  await trx
    .updateTable('channel_payouts')
    .set({
      state,
      checked_at: at,
      ended_at: sql`coalesce(ended_at, to_timestamp(${at} / 1000.0))`,
      next_try_at: null,
      awaits_payee: false,
      payee_package: null,
      confirmation_ends_at: null,
    })
    .where('id', '=', id)
    .execute();
}
