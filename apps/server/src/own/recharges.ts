import type { ApiError } from '@voltdeck/contract/errors';
import type { OwnRecharge, createOwnRecharge as route } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import { type BegunPayment, beginPayment } from '../channels/begin-payment.ts';
import { channelOf, type PaymentId } from '../channels/channel-room.ts';
import { notifyUrlOf } from '../channels/notifications-address.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';

/** Begins a payment into the customer's own balance. */
export async function beginOwnRecharge(
  trx: Trx,
  caller: CustomerCaller,
  channels: OpenChannels,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<BegunPayment, ApiError>> {
  const channel = channelOf(channels.byName, form.channel);
  if (!channel.ok) return channel;
  const customer = await ofCustomer(trx.selectFrom('customers'), caller, 'customers.id')
    .select('state')
    .forShare()
    .executeTakeFirst();
  if (customer?.state !== 'normal') return failed({ code: 'my.disabled' });
  const payment = await beginPayment(
    trx,
    {
      channel: form.channel,
      cardId: null,
      customerId: caller.customerId,
      amountFen: form.amountFen,
      // Payers of these channels read Chinese.
      title: say('zh-CN', 'pay.orderTitle'),
      userId: null,
      notifyUrl: notifyUrlOf(channels, form.channel),
    },
    at,
  );
  await audit(trx, caller, at, {
    action: 'recharge_code.create',
    recordKind: 'recharge_code',
    recordId: payment.id,
    after: { number: payment.number, customerId: caller.customerId, ...form },
  });
  return ok(payment);
}

export async function findOwnRecharge(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  id: PaymentId,
): Promise<OwnRecharge | null> {
  const row = await ofCustomer(db.selectFrom('channel_payments'), caller, 'channel_payments.customer_id')
    .select(['id', 'number', 'channel', 'amount_fen as amountFen', 'state', 'code_url as codeUrl'])
    .select(['expires_at as expiresAt', 'paid_at as paidAt', 'created_at as createdAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { expiresAt, paidAt, createdAt } = row;
  return { ...row, expiresAt: toIso(expiresAt), paidAt: isoOrNull(paidAt), createdAt: toIso(createdAt) };
}
