import type { ApiError } from '@voltdeck/contract/errors';
import type { EmbeddedPayerAct } from '@voltdeck/contract/payment-channels';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { giveJob } from '../../database/give-job.ts';
import type { Trx } from '../../database/transact.ts';
import { embeddedPayer } from './embedded-channel.ts';
import { type EmbeddedEvent, embeddedMerchant } from './embedded-notification.ts';

/** How late a late notification is. */
export const lateNotificationMs = minuteMs;
const deliveriesMax = 10;

/** When each notification of an act leaves; an act without any is found out by asking alone. */
const notificationsOf: Readonly<Record<EmbeddedPayerAct, readonly number[]>> = {
  pay: [0],
  pay_late: [lateNotificationMs],
  pay_twice: [0, 0],
  pay_silently: [],
  refuse: [0],
  hang: [],
};

/** What the payer of the embedded channel does with a payment. */
export async function actAsPayer(
  trx: Trx,
  number: string,
  act: EmbeddedPayerAct,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const payment = await trx
    .selectFrom('embedded_payments')
    .select(['state', 'amount_fen', 'third_party_number', 'expires_at'])
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
  if (payment === undefined) return failed({ code: 'record.not_found' });
  const isOpen = payment.state === 'waiting' || payment.state === 'hanging';
  if (!isOpen || payment.expires_at <= at) return failed({ code: 'channel.payment_over' });
  const isPaid = act !== 'refuse' && act !== 'hang';
  await trx
    .updateTable('embedded_payments')
    .set(isPaid ? { state: 'paid', paid_at: at } : { state: act === 'refuse' ? 'closed' : 'hanging' })
    .where('number', '=', number)
    .execute();
  const event: EmbeddedEvent = {
    merchant: embeddedMerchant,
    kind: 'payment',
    state: isPaid ? 'paid' : 'closed',
    number,
    thirdPartyNumber: payment.third_party_number,
    amountFen: payment.amount_fen,
    paidAt: toIso(at),
    payer: embeddedPayer,
  };
  for (const delayMs of notificationsOf[act]) {
    const { id } = await trx
      .insertInto('embedded_notifications')
      .values({ event: JSON.stringify(event), created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await giveJob(
      trx,
      'notify-as-embedded-channel',
      { notificationId: id },
      { key: `embedded-notification:${id}`, runAt: instant(at + delayMs), attemptsMax: deliveriesMax },
    );
  }
  return ok(null);
}
