import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { payWithdrawalByHand as route } from '@voltdeck/contract/withdrawals';
import type { WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { isByChannel } from './open-ways.ts';
import { beginPayoutOf, completeWithdrawal, lockWithdrawal } from './review-withdrawal.ts';

/** A person has paid it: one that is passed and goes by hand, or one that its channel refused. */
export async function payByHand(
  trx: Trx,
  caller: Caller,
  id: WithdrawalId,
  { receipt, remark = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  // While the channel may still pay it, a payment by hand would be the second one.
  if (row.state === 'in_review' && isByChannel(row.way)) return failed({ code: 'withdrawal.being_paid' });
  const isPayable = row.frozen && (row.state === 'in_review' || row.state === 'failed');
  if (!isPayable) return failed({ code: 'withdrawal.not_payable' });
  await completeWithdrawal(trx, row, { state: 'processed', receipt }, at);
  if (remark !== '') await trx.updateTable('withdrawals').set({ remark }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'withdrawal.pay',
    recordKind: 'withdrawal',
    recordId: id,
    before: { state: row.state },
    after: { receipt, remark },
  });
  return ok(id);
}

/** Asks the channel again, under a new number, for one that it refused. */
export async function retryPayout(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: WithdrawalId,
  at: Instant,
): Promise<Result<WithdrawalId, ApiError>> {
  // Customers' money is the platform's to pay out.
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const row = await lockWithdrawal(trx, id);
  if (row === undefined) return failed({ code: 'record.not_found' });
  if (row.state !== 'failed' || !row.frozen || !isByChannel(row.way)) {
    return failed({ code: 'withdrawal.not_failed' });
  }
  if (!channels.byName.has(row.way)) return failed({ code: 'channel.off' });
  await trx.updateTable('withdrawals').set({ state: 'in_review', failure: null }).where('id', '=', id).execute();
  await beginPayoutOf(trx, channels, caller, row, at);
  await audit(trx, caller, at, { action: 'withdrawal.retry', recordKind: 'withdrawal', recordId: id });
  return ok(id);
}
