import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import type { CardId, CustomerId, OrderId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';
import { findBalance } from './find-balance.ts';

/** Those whose stations stop a charge by themselves when its payer's money is used up. */
const balanceProtocols = protocols.filter((protocol) => protocolTraits[protocol].commands.includes('update-balance'));
/** A payer's charges that are told at the most. */
const chargesMax = 16;

type Payer = { cardId: CardId | null; customerId: CustomerId | null };

/**
 * Tells the stations where a payer charges what the payer has now. Nobody waits for it: a station that does not hear it
 * stops when what it knew of is used up, and a charge beyond the money is ended by us.
 */
export function tellBalance(context: Context, payer: Payer): void {
  tell(context, payer, null).catch((error: unknown) => noteFailure(context, error));
}

/**
 * After an order has taken money from its payer or given it back: the payer's other charges have more or less. A card
 * pays for one charge at a time, so only a customer's balance stands behind several.
 */
export function tellBalanceBeside(context: Context, orderId: OrderId): void {
  customerOf(context, orderId)
    .then((customerId) => (customerId === null ? undefined : tell(context, { cardId: null, customerId }, orderId)))
    .catch((error: unknown) => noteFailure(context, error));
}

/** Listens for orders that end or are given up, and so give back what they held. Returns the end of it. */
export function watchBalances(context: Context<'money'>): () => void {
  return context.bus.subscribe(({ event }) => {
    if (event.kind !== 'order-changed') return;
    if (event.state === 'completed' || event.state === 'cancelled') tellBalanceBeside(context, event.orderId);
  });
}

async function customerOf(context: Context, orderId: OrderId): Promise<CustomerId | null> {
  const order = await context.database.db
    .selectFrom('orders')
    .select('customer_id')
    .where('id', '=', orderId)
    .where('payment_type', '=', 'online')
    .executeTakeFirst();
  return order?.customer_id ?? null;
}

async function tell(context: Context, { cardId, customerId }: Payer, besideOrder: OrderId | null): Promise<void> {
  const { db } = context.database;
  if (cardId === null && customerId === null) return;
  const charges = await db
    .selectFrom('orders')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .select(['orders.id', 'stations.id as stationId', 'stations.number', 'orders.connector_number as connectorNumber'])
    .where('orders.state', '=', 'charging')
    .where('stations.protocol', 'in', balanceProtocols)
    .where((eb) =>
      cardId !== null
        ? eb('orders.card_id', '=', cardId)
        : eb.and([eb('orders.customer_id', '=', customerId), eb('orders.payment_type', '=', 'online')]),
    )
    .limit(chargesMax)
    .execute();
  for (const { id, stationId, number, connectorNumber } of charges) {
    if (id === besideOrder) continue;
    const balance = await findBalance(db, { stationId, connectorNumber });
    if (balance === null) continue;
    const outcome = await context.bus.commandStation(number, { kind: 'update-balance', connectorNumber, ...balance });
    context.log.info({ station: number, connectorNumber, outcome: outcome.kind }, 'balance: a running charge was told');
  }
}

function noteFailure(context: Context, error: unknown): void {
  context.log.warn({ err: error }, 'balance: a running charge could not be told');
}
