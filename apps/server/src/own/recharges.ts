import type { ApiError } from '@voltdeck/contract/errors';
import type { OwnRecharge, createOwnRecharge as route } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import { type Instant, instant, isoOrNull, secondMs, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import { type BegunPayment, beginPayment, codeLifeMs } from '../channels/begin-payment.ts';
import { channelOf, type PaymentId } from '../channels/channel-room.ts';
import { notifyUrlOf } from '../channels/notifications-address.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { say } from '../http/say.ts';

/** Unpaid codes that a customer may have at once: what they chose, and two changes of mind. */
export const openRechargesMax = 3;
/** Codes that a customer may ask for in a day of Shanghai: each costs its channel a call. */
export const rechargesPerDayMax = 30;

/** Begins a payment into the customer's own balance, within `openRechargesMax` and `rechargesPerDayMax`. */
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
    // Simultaneous requests are counted one after the other.
    .forUpdate()
    .executeTakeFirst();
  if (customer?.state !== 'normal') return failed({ code: 'my.disabled' });
  const refusal = await refusalByNumber(trx, caller, at);
  if (refusal !== null) return failed(refusal);
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

async function refusalByNumber(trx: Trx, caller: CustomerCaller, at: Instant): Promise<ApiError | null> {
  const open = sql<boolean>`state in ('created', 'paying', 'unknown') and expires_at > to_timestamp(${at} / 1000.0)`;
  const today = shanghaiDayStart(at);
  const { begun, waiting, nextAt } = await ofCustomer(
    trx.selectFrom('channel_payments'),
    caller,
    'channel_payments.customer_id',
  )
    .select([
      sql<number>`count(*) filter (where created_at >= to_timestamp(${today} / 1000.0))::int`.as('begun'),
      sql<number>`count(*) filter (where ${open})::int`.as('waiting'),
      sql<Instant | null>`min(expires_at) filter (where ${open})`.as('nextAt'),
    ])
    .where('asked_by_customer_id', '=', caller.customerId)
    // A code that is still open was asked for within the last minutes, perhaps before midnight.
    .where('created_at', '>=', instant(Math.min(today, at - codeLifeMs)))
    .executeTakeFirstOrThrow();
  if (waiting >= openRechargesMax) {
    const seconds = Math.ceil(((nextAt ?? at) - at) / secondMs);
    return { code: 'my.too_many_open_recharges', params: { max: openRechargesMax, seconds } };
  }
  return begun < rechargesPerDayMax
    ? null
    : { code: 'my.too_many_recharges_today', params: { max: rechargesPerDayMax } };
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
