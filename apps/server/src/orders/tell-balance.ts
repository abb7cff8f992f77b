import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import type { CardId, CustomerId, OrderId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../context.ts';
import { giveJob, type Jobs } from '../database/give-job.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { findBalance } from './find-balance.ts';
import type { OrderRow } from './order-row.ts';

/** Protocols whose stations stop a charge by themselves when its payer's money is used up. */
const balanceProtocols = protocols.filter((protocol) => protocolTraits[protocol].commands.includes('update-balance'));
/** Limit of one payer's charges that are updated. */
const chargesMax = 16;

type Payer = { cardId: CardId | null; customerId: CustomerId | null };

/**
 * In the transaction that moves a payer's money: schedules an update of the balance for the stations where the payer
 * charges. Nothing depends on it: a station that misses it stops at the balance it knew, and we end a charge that
 * exceeds the money.
 */
export async function tellBalanceLater(trx: Trx, { cardId, customerId }: Payer): Promise<void> {
  await giveLater(trx, { cardId, customerId, besideOrderId: null });
}

/**
 * In the transaction in which an order takes money from its payer or gives it back, which changes the balance for the
 * payer's other charges. A card pays for one charge at a time, or for two gun ports together; a customer's balance can
 * pay for several.
 */
export async function tellOtherChargesLater(
  trx: Trx,
  order: Pick<OrderRow, 'id' | 'payment_type' | 'customer_id' | 'card_id' | 'parallel_key'>,
): Promise<void> {
  const { id, payment_type: paymentType, customer_id: customerId, card_id: cardId } = order;
  if (paymentType === 'card') {
    if (order.parallel_key === null || cardId === null) return;
    await giveLater(trx, { cardId, customerId: null, besideOrderId: id });
  } else if (customerId !== null) {
    await giveLater(trx, { cardId: null, customerId, besideOrderId: id });
  }
}

async function giveLater(trx: Trx, told: Jobs['tell-balance']): Promise<void> {
  const { cardId, customerId, besideOrderId } = told;
  const key = `tell-balance:${cardId ?? '-'}:${customerId ?? '-'}:${besideOrderId ?? '-'}`;
  const where = sql<boolean>`exists (${chargesOf(trx, told).select('orders.id')})`;
  await giveJob(trx, 'tell-balance', told, { key, where });
}

/** The payer's charges at stations that take balance updates. */
function chargesOf(db: Kysely<Tables>, { cardId, customerId, besideOrderId }: Jobs['tell-balance']) {
  return db
    .selectFrom('orders')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .where('orders.state', '=', 'charging')
    .where('stations.protocol', 'in', balanceProtocols)
    .where((eb) =>
      cardId !== null
        ? eb('orders.card_id', '=', cardId)
        : eb.and([eb('orders.customer_id', '=', customerId), eb('orders.payment_type', '=', 'online')]),
    )
    .$if(besideOrderId !== null, (charges) => charges.where('orders.id', '<>', besideOrderId as OrderId));
}

/** The job given by `tellBalanceLater`. */
export async function tellBalance(context: Context<'money'>, told: Jobs['tell-balance']): Promise<void> {
  const { db } = context.database;
  const charges = await chargesOf(db, told)
    .select(['stations.id as stationId', 'stations.number', 'orders.connector_number as connectorNumber'])
    .limit(chargesMax)
    .execute();
  for (const { stationId, number, connectorNumber } of charges) {
    const balance = await findBalance(db, { stationId, connectorNumber });
    if (balance === null) continue;
    const outcome = await context.bus.commandStation(number, { kind: 'update-balance', connectorNumber, ...balance });
    context.log.info({ station: number, connectorNumber, outcome: outcome.kind }, 'balance: updated a running charge');
  }
}
