import { promisedFen } from '@voltdeck/charging/charge/decide-authorization';
import { keyOf } from '@voltdeck/ledger/account';
import type { StationId } from '@voltdeck/units/id';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { OrderRow } from './order-row.ts';
import { walletOf } from './order-row.ts';

/** What is behind a charge: its share of what its payer has, and the number in the chip of the card where one pays. */
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
  if (order === undefined || walletOf(order) === null) return null;
  const availableFen = await promisedTo(db, order);
  return order.physicalNumber === null ? { availableFen } : { availableFen, physicalCardNumber: order.physicalNumber };
}

/**
 * What a live charge may be told that its payer has: what it holds and its even share of what is free, so that several
 * charges of one payer are never told more than there is.
 */
export async function promisedTo(
  db: Kysely<Tables>,
  order: Pick<OrderRow, 'payment_type' | 'card_id' | 'customer_id' | 'held_fen'>,
): Promise<Fen> {
  const wallet = walletOf(order);
  if (wallet === null) return zeroFen;
  const owner = wallet.kind === 'card' ? sql.ref('o.card_id') : sql.ref('o.customer_id');
  const { rows } = await sql<{ free_fen: Fen | null; sharers: number }>`
    select (select balance_fen from ledger_accounts where key = ${keyOf(wallet)}) as free_fen,
           (select count(*) from orders o
             where ${owner} = ${wallet.owner} and o.payment_type = ${order.payment_type}
               and o.state in ('placed', 'charging'))::int as sharers`.execute(db);
  const { free_fen: freeFen, sharers } = rows[0] ?? { free_fen: null, sharers: 1 };
  // What the charge holds is the payer's until it is settled.
  return promisedFen({ heldFen: order.held_fen, freeFen: freeFen ?? zeroFen, sharers });
}
