import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { PayoutId, Returned } from '../channels/channel-room.ts';
import type { Trx } from '../database/transact.ts';
import { completeWithdrawal, lockWithdrawal } from './review-withdrawal.ts';

/**
 * What a channel's payout means for its withdrawal: paid, or refused with its money still frozen, so that a person
 * retries, pays by hand or rejects it. Null where the payout belongs to no withdrawal.
 */
export async function endPayout(trx: Trx, payout: Returned<PayoutId>, at: Instant): Promise<WithdrawalId | null> {
  const found = await trx.selectFrom('withdrawals').select('id').where('payout_id', '=', payout.id).executeTakeFirst();
  const row = found === undefined ? undefined : await lockWithdrawal(trx, found.id);
  // A retry has another payout by now; what is heard of the old one is on its own row.
  if (row?.state !== 'in_review' || row.payout_id !== payout.id) return row?.id ?? null;
  if (payout.refusal === null) {
    await completeWithdrawal(trx, row, { state: 'withdrawn', receipt: payout.number }, at);
  } else {
    const failure = payout.refusal.text === '' ? payout.refusal.code : payout.refusal.text;
    await trx.updateTable('withdrawals').set({ state: 'failed', failure }).where('id', '=', row.id).execute();
  }
  return row.id;
}

/**
 * What it means that a channel contradicts what it said of a payout. A withdrawal whose money is still frozen is paid by
 * a payout that was made after all; otherwise the withdrawal says that a person has to act.
 * @returns whether it is paid by it.
 */
export async function endPayoutOtherwise(
  trx: Trx,
  payout: { id: PayoutId; number: string; state: 'done' | 'failed' },
  at: Instant,
): Promise<boolean> {
  const { withdrawal_id } = await trx
    .selectFrom('channel_payouts')
    .select('withdrawal_id')
    .where('id', '=', payout.id)
    .executeTakeFirstOrThrow();
  const row = withdrawal_id === null ? undefined : await lockWithdrawal(trx, withdrawal_id);
  if (row === undefined) return false;
  if (payout.state === 'done' && row.state === 'failed' && row.frozen) {
    await completeWithdrawal(trx, row, { state: 'withdrawn', receipt: payout.number }, at);
    await trx.updateTable('withdrawals').set({ payout_id: payout.id }).where('id', '=', row.id).execute();
    return true;
  }
  const attention = payout.state === 'done' ? 'paid_twice' : 'sent_back';
  await trx.updateTable('withdrawals').set({ attention }).where('id', '=', row.id).execute();
  return false;
}
