import type { ApiError } from '@voltdeck/contract/errors';
import type { createRechargeCode as route } from '@voltdeck/contract/recharge-codes';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { type BegunPayment, beginPayment } from '../channels/begin-payment.ts';
import { channelOf } from '../channels/channel-room.ts';
import { notifyUrlOf } from '../channels/notifications-address.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';
import { findWallet } from './find-wallet.ts';

/**
 * Begins a payment that becomes a recharge of a card or a customer. The money comes from outside, whoever asks: an
 * agent's prepaid account has no part in it.
 */
export async function createRechargeCode(
  trx: Trx,
  caller: Caller,
  channels: OpenChannels,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<BegunPayment, ApiError>> {
  const channel = channelOf(channels.byName, form.channel);
  if (!channel.ok) return channel;
  const target = await findWallet(trx, caller, form, { to: 'receive' });
  if (!target.ok) return target;
  const { cardId, customerId } = target.value;
  const payment = await beginPayment(
    trx,
    {
      channel: form.channel,
      cardId,
      customerId,
      amountFen: form.amountFen,
      // Payers of these channels read Chinese.
      title: say('zh-CN', 'pay.orderTitle'),
      userId: caller.userId,
      notifyUrl: notifyUrlOf(channels, form.channel),
    },
    at,
  );
  await audit(trx, caller, at, {
    action: 'recharge_code.create',
    recordKind: 'recharge_code',
    recordId: payment.id,
    after: { number: payment.number, ...form },
  });
  return ok(payment);
}
