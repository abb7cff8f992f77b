import type { ApiError } from '@voltdeck/contract/errors';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { beginRefund } from '../../channels/begin-return.ts';
import { channelOf, type PaymentId } from '../../channels/channel-room.ts';
import type { OpenChannels } from '../../channels/open-channels.ts';
import type { Trx } from '../../database/transact.ts';

/**
 * Sends money that came by a channel and is on no balance back to its payer: all of it, once. A refund that the channel
 * refused can be begun again. It asks no second person: the money can only go where it came from.
 */
export async function sendBackPayment(
  trx: Trx,
  channels: OpenChannels,
  caller: Caller,
  id: PaymentId,
  { reason }: { reason: string },
  at: Instant,
): Promise<Result<PaymentId, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const payment = await trx
    .selectFrom('channel_payments')
    .select(['channel', 'state', 'attention', 'paid_fen'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (payment === undefined) return failed({ code: 'record.not_found' });
  if (payment.state !== 'paid' || payment.paid_fen === null) return failed({ code: 'channel.not_paid' });
  if (payment.attention === null) return failed({ code: 'channel.payment_credited' });
  const channel = channelOf(channels.byName, payment.channel);
  if (!channel.ok) return channel;
  const begun = await beginRefund(
    trx,
    { paymentId: id, amountFen: payment.paid_fen, reason, userId: caller.userId },
    at,
  );
  if (!begun.ok) {
    return begun.error.code === 'channel.refund_too_high' ? failed({ code: 'channel.already_sent_back' }) : begun;
  }
  await audit(trx, caller, at, {
    action: 'recharge_code.send_back',
    recordKind: 'recharge_code',
    recordId: id,
    after: { number: begun.value.number, amountFen: payment.paid_fen, reason },
  });
  return ok(id);
}
