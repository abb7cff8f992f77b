import type { ApiError } from '@voltdeck/contract/errors';
import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { UserId, WithdrawalId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import type { PaymentId, PayoutId, RefundId } from './channel-room.ts';
import { contradictionCodes } from './take-return-found.ts';

/**
 * Begins to send money of a payment back the way it came, in the transaction of its cause; a job that follows the commit
 * asks the channel. `outcomes.refunded` tells how it ended.
 */
export async function beginRefund(
  trx: Trx,
  wish: { paymentId: PaymentId; amountFen: Fen; reason: string; userId: UserId | null },
  at: Instant,
): Promise<Result<{ id: RefundId; number: string }, ApiError>> {
  const payment = await trx
    .selectFrom('channel_payments')
    .select(['state', 'paid_fen'])
    .where('id', '=', wish.paymentId)
    .forUpdate()
    .executeTakeFirst();
  if (payment === undefined) return failed({ code: 'record.not_found' });
  if (payment.state !== 'paid' || payment.paid_fen === null) return failed({ code: 'channel.not_paid' });
  const earlier = await trx
    .selectFrom('channel_refunds')
    .select('amount_fen')
    .where('payment_id', '=', wish.paymentId)
    // What the channel called failed and reports as made since has left all the same.
    .where((where) =>
      where.or([
        where('state', '<>', 'failed'),
        where('result_code', 'in', [contradictionCodes.doneAfterFailed, contradictionCodes.amountDiffers]),
      ]),
    )
    .execute();
  const leftFen = subtractFen(payment.paid_fen, addFen(...earlier.map((refund) => refund.amount_fen)));
  if (wish.amountFen > leftFen) {
    return failed({ code: 'channel.refund_too_high', params: { max: formatYuan(leftFen) } });
  }
  const number = receiptNumber('F', at);
  const { id } = await trx
    .insertInto('channel_refunds')
    .values({
      number,
      payment_id: wish.paymentId,
      amount_fen: wish.amountFen,
      reason: wish.reason,
      user_id: wish.userId,
      created_at: at,
      next_try_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await giveJob(trx, 'ask-channel', { kind: 'refund', id }, { key: `refund:${id}` });
  return ok({ id, number });
}

/** Begins to pay money out to an account of a channel, as `beginRefund` does. The caller has set the money aside. */
export async function beginPayout(
  trx: Trx,
  wish: {
    /** What it pays; null for a payout of its own. */
    withdrawalId: WithdrawalId | null;
    channel: PaymentChannelName;
    payee: string;
    payeeName: string | null;
    amountFen: Fen;
    remark: string;
    notifyUrl: string;
    userId: UserId | null;
  },
  at: Instant,
): Promise<{ id: PayoutId; number: string }> {
  const number = receiptNumber('O', at);
  const { id } = await trx
    .insertInto('channel_payouts')
    .values({
      number,
      withdrawal_id: wish.withdrawalId,
      channel: wish.channel,
      payee: wish.payee,
      payee_name: wish.payeeName,
      amount_fen: wish.amountFen,
      remark: wish.remark,
      notify_url: wish.notifyUrl,
      user_id: wish.userId,
      created_at: at,
      begun_at: at,
      next_try_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await giveJob(trx, 'ask-channel', { kind: 'payout', id }, { key: `payout:${id}` });
  return { id, number };
}

/** Begins a payout that its channel refused and does not know once more: under its number it is paid once at most. */
export async function beginAgain(trx: Trx, id: PayoutId, at: Instant): Promise<void> {
  await trx
    .updateTable('channel_payouts')
    .set({
      state: 'processing',
      result_code: null,
      result_text: null,
      begun_at: at,
      asked_at: null,
      next_try_at: at,
      ended_at: null,
      checked_at: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .execute();
  await giveJob(trx, 'ask-channel', { kind: 'payout', id }, { key: `payout:${id}` });
}
