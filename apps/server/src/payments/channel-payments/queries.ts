import { type ChannelPayment, listChannelPayments } from '@voltdeck/contract/channel-payments';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { PaymentId } from '../../channels/channel-room.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';

const sentBackFen = sql<Fen>`coalesce((select sum(amount_fen) from channel_refunds
  where channel_refunds.payment_id = channel_payments.id and channel_refunds.state <> 'failed'), 0)::bigint`;

function paymentsAsShown(db: Kysely<Tables>) {
  return db
    .selectFrom('channel_payments')
    .leftJoin('cards', 'cards.id', 'channel_payments.card_id')
    .leftJoin('customers', 'customers.id', 'channel_payments.customer_id')
    .leftJoin('recharges', 'recharges.id', 'channel_payments.recharge_id')
    .select([
      'channel_payments.id',
      'channel_payments.number',
      'channel_payments.channel',
      'channel_payments.card_id as cardId',
      'cards.number as cardNumber',
      'channel_payments.customer_id as customerId',
      'customers.phone as customerPhone',
      'channel_payments.amount_fen as amountFen',
      'channel_payments.state',
      'channel_payments.paid_fen as paidFen',
      'channel_payments.third_party_number as thirdPartyNumber',
      'channel_payments.attention',
      'recharges.number as rechargeNumber',
      'channel_payments.result_text as refusal',
      'channel_payments.created_at as createdAt',
      'channel_payments.paid_at as paidAt',
      sentBackFen.as('sentBackFen'),
    ]);
}

function toPayment<R extends { createdAt: Instant; paidAt: Instant | null }>(row: R) {
  return { ...row, createdAt: toIso(row.createdAt), paidAt: isoOrNull(row.paidAt) };
}

export async function findChannelPayment(
  db: Kysely<Tables>,
  caller: Caller,
  id: PaymentId,
): Promise<ChannelPayment | null> {
  if (caller.agents !== 'all') return null;
  const row = await paymentsAsShown(db).where('channel_payments.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPayment(row);
}

export const channelPaymentList = listSource({
  route: listChannelPayments,
  platformOnly: true,
  filtered(db, _caller, filter) {
    let payments = db.selectFrom('channel_payments');
    if (filter.number !== undefined) payments = payments.where('channel_payments.number', '=', filter.number);
    if (filter.thirdPartyNumber !== undefined) {
      payments = payments.where('channel_payments.third_party_number', '=', filter.thirdPartyNumber);
    }
    if (filter.waits !== undefined) {
      const waits = sql<boolean>`channel_payments.attention is not null
        and ${sentBackFen} < channel_payments.paid_fen`;
      payments = payments.where(filter.waits ? waits : sql<boolean>`not coalesce((${waits}), false)`);
    }
    if (filter.state !== undefined) payments = payments.where('channel_payments.state', 'in', filter.state);
    if (filter.channel !== undefined) payments = payments.where('channel_payments.channel', 'in', filter.channel);
    if (filter.cardId !== undefined) payments = payments.where('channel_payments.card_id', '=', filter.cardId);
    if (filter.customerId !== undefined) {
      payments = payments.where('channel_payments.customer_id', '=', filter.customerId);
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) payments = payments.where('channel_payments.created_at', '>=', from);
    if (to !== null) payments = payments.where('channel_payments.created_at', '<=', to);
    return payments;
  },
  id: sql`channel_payments.id`,
  sorts: { createdAt: sql`channel_payments.created_at` },
  sums: {
    amountFen: sql`channel_payments.amount_fen`,
    paidFen: sql`coalesce(channel_payments.paid_fen, 0)`,
  },
  rows: (db) => paymentsAsShown(db),
  toItem: toPayment,
});
