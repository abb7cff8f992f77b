import { keyOf } from '@voltdeck/ledger/account';
import type { StationId } from '@voltdeck/units/id';
import { addFen, type Fen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { walletOf } from './hold-money.ts';

/** What is behind a charge: all that its payer has, and the number in the chip of the card where one pays. */
export type ChargeBalance = { availableFen: Fen; physicalCardNumber?: string };

/** Of the charge that runs at a port; null when none does or nobody we know pays for it. */
export async function findBalance(
  db: Kysely<Tables>,
  { stationId, connectorNumber }: { stationId: StationId; connectorNumber: number },
): Promise<ChargeBalance | null> {
  const order = await db
    .selectFrom('orders')
    .leftJoin('cards', 'cards.id', 'orders.card_id')
    .select(['payment_type', 'card_id', 'orders.customer_id', 'held_fen', 'cards.physical_number as physicalNumber'])
    .where('station_id', '=', stationId)
    .where('connector_number', '=', connectorNumber)
    .where('orders.state', '=', 'charging')
    .orderBy('orders.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const wallet = order === undefined ? null : walletOf(order);
  if (order === undefined || wallet === null) return null;
  const free = await db
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(wallet))
    .executeTakeFirst();
  // What the charge holds is the payer's until it is settled.
  const availableFen = addFen(free?.balance_fen ?? zeroFen, order.held_fen);
  return order.physicalNumber === null ? { availableFen } : { availableFen, physicalCardNumber: order.physicalNumber };
}
