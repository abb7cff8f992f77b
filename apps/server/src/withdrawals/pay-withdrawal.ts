import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { payWithdrawalByHand as route } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { type EarlierPayouts, lockPayouts } from '../channels/ask-about-payouts.ts';
import { beginAgain } from '../channels/begin-return.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { findByReceipt, receiptKeyOf } from '../ledger/bank-receipt.ts';
import { whyHeldByEarlier } from './earlier-payouts.ts';
import { isByChannel } from './open-ways.ts';
import { beginPayoutOf, completeWithdrawal, lockWithdrawal } from './review-withdrawal.ts';

/**
 * A person has paid it: one that is passed and goes by hand, or one that its channel refused and, asked about it again,
 * has not paid.
 */
export async function payByHand(
  trx: Trx,
  caller: Caller,
  id: WithdrawalId,
  { receipt, remark = '' }: BodyOf<typeof route>,
  earlier: EarlierPayouts,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  await lockPayouts(trx, id);
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (earlier.outcome === 'paid') return failed({ code: 'withdrawal.paid_by_channel' });
  // While the channel may still pay it, a payment by hand would be the second one.
  if (row.state === 'in_review' && isByChannel(row.way)) return failed({ code: 'withdrawal.being_paid' });
  const isPayable = row.frozen && (row.state === 'in_review' || row.state === 'failed');
  if (!isPayable) return failed({ code: 'withdrawal.not_payable' });
  const held = await whyHeldByEarlier(trx, id, earlier);
  if (held !== null) return failed(held);
  const other = row.way === 'bank' ? await findByReceipt(trx, receipt) : null;
  if (other !== null) return failed({ code: 'withdrawal.receipt_used', params: { receipt, number: other } });
  await completeWithdrawal(trx, row, { state: 'processed', receipt }, at);
  await trx
    .updateTable('withdrawals')
    .set({ receipt_key: row.way === 'bank' ? receiptKeyOf(receipt) : null })
    .$if(remark !== '', (update) => update.set({ remark }))
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'withdrawal.pay',
    recordKind: 'withdrawal',
    recordId: id,
    before: { state: row.state },
    after: { receipt, remark },
  });
  return ok(id);
}

/**
 * Asks the channel again for one that it refused: under the same number where it does not know that one, and under a new
 * one where it knows it as failed for good. What it has paid after all is paid by that, and nothing is sent.
 */
export async function retryPayout(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: WithdrawalId,
  earlier: EarlierPayouts,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  await lockPayouts(trx, id);
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  const retried = { action: 'withdrawal.retry', recordKind: 'withdrawal', recordId: id } as const;
  if (row.state === 'withdrawn' && earlier.outcome === 'paid') {
    await audit(trx, caller, at, { ...retried, after: { state: row.state } });
    return ok(id);
  }
  if (row.state !== 'failed' || !row.frozen || !isByChannel(row.way)) {
    return failed({ code: 'withdrawal.not_failed' });
  }
  if (!channels.byName.has(row.way)) return failed({ code: 'channel.off' });
  const held = await whyHeldByEarlier(trx, id, earlier);
  if (held !== null || earlier.outcome !== 'over') return failed(held ?? { code: 'withdrawal.payout_unknown' });
  await trx.updateTable('withdrawals').set({ state: 'in_review', failure: null }).where('id', '=', id).execute();
  const last = earlier.payouts.find((payout) => payout.id === row.payout_id);
  if (last === undefined || last.isKnown) await beginPayoutOf(trx, channels, caller, row, at);
  else await beginAgain(trx, last.id, at);
  await audit(trx, caller, at, retried);
  return ok(id);
}
