import type { WithdrawalAttention } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { PayoutId, Returned } from '../channels/channel-room.ts';
import { contradictionCodes } from '../channels/take-return-found.ts';
import type { Trx } from '../database/transact.ts';
import { completeWithdrawal, lockWithdrawal } from './review-withdrawal.ts';

/**
 * What a channel's payout means for its withdrawal: paid, or refused with its money still frozen, so that a person
 * retries, pays by hand or rejects it. An earlier payout that was made after all counts: it pays the withdrawal where
 * this one is refused, and is one too many where this one is made. Null where the payout belongs to no withdrawal.
 */
export async function endPayout(trx: Trx, payout: Returned<PayoutId>, at: Instant): Promise<WithdrawalId | null> {
  const found = await trx.selectFrom('withdrawals').select('id').where('payout_id', '=', payout.id).executeTakeFirst();
  const row = found === undefined ? undefined : await lockWithdrawal(trx, found.id);
  // A retry has another payout by now; what is heard of the old one is on its own row.
  if (row?.state !== 'in_review' || row.payout_id !== payout.id) return row?.id ?? null;
  const earlier = await findMadeAfterAll(trx, row.id);
  if (payout.refusal === null) {
    await completeWithdrawal(trx, row, { state: 'withdrawn', receipt: payout.number }, at);
    if (earlier !== undefined) await setAttention(trx, row.id, 'paid_twice');
  } else if (earlier !== undefined) {
    await completeWithdrawal(trx, row, { state: 'withdrawn', receipt: earlier.number }, at);
    await trx.updateTable('withdrawals').set({ payout_id: earlier.id }).where('id', '=', row.id).execute();
    await trx.updateTable('channel_payouts').set({ state: 'done' }).where('id', '=', earlier.id).execute();
  } else {
    const failure = payout.refusal.text === '' ? payout.refusal.code : payout.refusal.text;
    await trx
      .updateTable('withdrawals')
      .set({ state: 'failed', failure, attention: null })
      .where('id', '=', row.id)
      .execute();
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
  // Whether it is one too many shows when the payout that is under way ends.
  if (payout.state === 'done' && row.state === 'in_review') return false;
  // Of two that were made, one has come back.
  const isOnceAgain = payout.state === 'failed' && row.attention === 'paid_twice';
  await setAttention(trx, row.id, isOnceAgain ? null : payout.state === 'done' ? 'paid_twice' : 'sent_back');
  return false;
}

/**
 * A channel reports a payout as made with another amount: a person has to find out what it was. Where the money had gone
 * another way already, it is a second payment whatever it was.
 */
export async function notePayoutDiffers(trx: Trx, payoutId: PayoutId): Promise<void> {
  const { withdrawal_id } = await trx
    .selectFrom('channel_payouts')
    .select('withdrawal_id')
    .where('id', '=', payoutId)
    .executeTakeFirstOrThrow();
  const row = withdrawal_id === null ? undefined : await lockWithdrawal(trx, withdrawal_id);
  if (row !== undefined) await setAttention(trx, row.id, row.frozen ? 'amount_differs' : 'paid_twice');
}

/** The payout of a withdrawal that its channel called failed and made. */
function findMadeAfterAll(trx: Trx, id: WithdrawalId) {
  return trx
    .selectFrom('channel_payouts')
    .select(['id', 'number'])
    .where('withdrawal_id', '=', id)
    .where('state', '=', 'failed')
    .where('result_code', '=', contradictionCodes.doneAfterFailed)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function setAttention(trx: Trx, id: WithdrawalId, attention: WithdrawalAttention | null): Promise<void> {
  await trx.updateTable('withdrawals').set({ attention }).where('id', '=', id).execute();
}
