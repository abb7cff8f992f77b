import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { protocols } from '@voltdeck/charging/states';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';
import { findBalance } from './find-balance.ts';

/** Those whose stations stop a charge by themselves when its payer's money is used up. */
const balanceProtocols = protocols.filter((protocol) => protocolTraits[protocol].commands.includes('update-balance'));
/** A payer's charges that are told at the most. */
const chargesMax = 16;

/**
 * Tells the stations where a payer charges what the payer has now. Nobody waits for it: a station that does not hear it
 * stops as early as it would have before.
 */
export function tellBalance(context: Context, payer: { cardId: CardId | null; customerId: CustomerId | null }): void {
  tell(context, payer).catch((error: unknown) => {
    context.log.warn({ err: error, ...payer }, 'balance: a running charge could not be told');
  });
}

async function tell(context: Context, payer: { cardId: CardId | null; customerId: CustomerId | null }): Promise<void> {
  const { db } = context.database;
  const charges = await db
    .selectFrom('orders')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .select(['stations.id as stationId', 'stations.number', 'orders.connector_number as connectorNumber'])
    .where('orders.state', '=', 'charging')
    .where('stations.protocol', 'in', balanceProtocols)
    .where((eb) =>
      payer.cardId !== null
        ? eb('orders.card_id', '=', payer.cardId)
        : eb.and([eb('orders.customer_id', '=', payer.customerId), eb('orders.payment_type', '=', 'online')]),
    )
    .limit(chargesMax)
    .execute();
  for (const { stationId, number, connectorNumber } of charges) {
    const balance = await findBalance(db, { stationId, connectorNumber });
    if (balance === null) continue;
    const outcome = await context.bus.commandStation(number, { kind: 'update-balance', connectorNumber, ...balance });
    context.log.info({ station: number, connectorNumber, outcome: outcome.kind }, 'balance: a running charge was told');
  }
}
