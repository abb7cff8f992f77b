import {
  moneyLimits,
  promisedFen,
  promisedOfTwoFen,
  promisedToPaid,
} from '@voltdeck/charging/charge/decide-authorization';
import { giftAccount, keyOf } from '@voltdeck/ledger/account';
import { isFree } from '@voltdeck/tariffs/free-tariff';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, minFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { readLimitLeft } from './group-payer.ts';
import { type OrderRow, paymentOf, type WalletColumns, walletByPayment, walletOf } from './order-row.ts';
import { paidBeforeBy } from './paid-before.ts';

/** The money behind a charge: its share of the payer's balance, and the chip number where a card pays. */
export type ChargeBalance = { availableFen: Fen; physicalCardNumber?: string };

/** For the charge that runs at a port; null when none runs or its payer is unknown. */
export async function findBalance(
  db: Kysely<Tables>,
  { stationId, connectorNumber }: { stationId: StationId; connectorNumber: number },
): Promise<ChargeBalance | null> {
  const order = await db
    .selectFrom('orders')
    .leftJoin('cards', 'cards.id', 'orders.card_id')
    .select(['orders.id', 'payment_type', 'card_id', 'orders.customer_id', 'orders.group_id', 'group_member_id'])
    .select(['orders.partner_id', 'held_fen', 'station_id', 'parallel_key'])
    .select('cards.physical_number as physicalNumber')
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

type Sharer = Pick<OrderRow, 'id' | 'held_fen' | 'station_id' | 'parallel_key'> & WalletColumns;

/**
 * The balance to report for a live charge: its own hold and an even share of what is free, so that several charges of
 * one payer are never promised more than there is. Two gun ports that charge together share from the start of the first
 * until one of them is cancelled or ends.
 */
export async function promisedTo(db: Kysely<Tables>, order: Sharer): Promise<Fen> {
  const wallet = walletOf(order);
  if (wallet === null) return zeroFen;
  const owner = sql.ref(`o.${walletByPayment[paymentOf(wallet)].column}`);
  const { rows } = await sql<{
    tariff: Tariff | null;
    placed_at: Instant;
    members_charges: number;
    free_fen: Fen | null;
    sharers: number;
    other_came: boolean;
    other_held_fen: Fen | null;
  }>`
    with beside as (
      select o.state, o.held_fen from orders o
       where o.station_id = ${order.station_id} and o.parallel_key = ${order.parallel_key} and o.id <> ${order.id})
    select (select tariff from orders where id = ${order.id}) as tariff,
           (select placed_at from orders where id = ${order.id}) as placed_at,
           (select count(*) from orders m where m.group_member_id = ${order.group_member_id}
               and m.state in ('placed', 'charging'))::int as members_charges,
           (select sum(balance_fen)::bigint from ledger_accounts
             where key in (${keyOf(wallet)}, ${keyOf(giftAccount(wallet))})) as free_fen,
           (select count(*) from orders o
             where ${owner} = ${wallet.owner} and o.payment_type = ${order.payment_type}
               and o.state in ('placed', 'charging'))::int as sharers,
           exists (select from beside) as other_came,
           (select held_fen from beside where state in ('placed', 'charging') limit 1) as other_held_fen`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the balance query gave no row');
  if (row.tariff !== null && isFree(row.tariff)) return moneyLimits.freePromiseFen;
  const { sharers, other_came: otherCame, other_held_fen: otherHeldFen } = row;
  const heldFen = order.held_fen;
  const freeFen = row.free_fen ?? zeroFen;
  const isOneOfTwo = order.parallel_key !== null && (!otherCame || otherHeldFen !== null);
  // The charge's hold belongs to the payer until it is settled.
  const promised = isOneOfTwo
    ? promisedOfTwoFen({ heldFen, freeFen, otherHeldFen })
    : promisedFen({ heldFen, freeFen, sharers });
  const limitLeftFen = await readLimitLeft(db, { ...order, placed_at: row.placed_at }, { lock: false });
  const limited =
    limitLeftFen === null
      ? promised
      : minFen(promised, promisedFen({ heldFen, freeFen: limitLeftFen, sharers: row.members_charges }));
  return promisedToPaid(paidBeforeBy(row.tariff), limited);
}
