import { type CardUse, listCardUses } from '@voltdeck/contract/card-uses';
import type { CardId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { filterOrders } from '../orders/filter-orders.ts';

/** What the first payment for the order left on the card. */
const balanceAfter = sql<Fen | null>`(
  select m.paid_after_fen + m.gift_after_fen from movements m
   where m.order_id = orders.id and m.type = 'consume' and m.card_id = orders.card_id
   order by m.id limit 1)`;

function useRows(db: Kysely<Tables>) {
  return db
    .selectFrom('orders')
    .innerJoin('cards', 'cards.id', 'orders.card_id')
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .leftJoin('sites', 'sites.id', 'orders.site_id')
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .leftJoin('customers', 'customers.id', 'orders.customer_id')
    .select([
      'orders.id',
      'orders.number as orderNumber',
      'orders.state',
      'orders.card_id as cardId',
      'cards.number as cardNumber',
      'cards.physical_number as physicalNumber',
      'orders.customer_id as customerId',
      'customers.nickname as customerNickname',
      'customers.phone as customerPhone',
      'sites.name as siteName',
      'orders.station_id as stationId',
      'stations.number as stationNumber',
      'stations.name as stationName',
      'orders.connector_number as connectorNumber',
      'agents.name as agentName',
      'orders.placed_at as placedAt',
      'orders.started_at as startedAt',
      'orders.ended_at as endedAt',
      'orders.energy_wh as energyWh',
      'orders.amount_fen as amountFen',
      'orders.paid_fen as paidFen',
      'orders.gift_paid_fen as giftPaidFen',
      'orders.owed_fen as owedFen',
      'orders.refunded_fen as refundedFen',
      balanceAfter.as('balanceAfterFen'),
    ]);
}

type UseRow = Omit<CardUse, 'cardId' | 'siteName' | 'placedAt' | 'startedAt' | 'endedAt'> & {
  cardId: CardId | null;
  siteName: string | null;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
};

/** Charges with cards: orders, found by the filters of orders in indexes of their own. */
export const cardUseList = listSource({
  route: listCardUses,
  async filtered(db, caller, filter) {
    const orders = await filterOrders(db, caller, filter);
    if (orders === null) return null;
    const [first, ...others] = orders.map((part) => part.where('orders.card_id', 'is not', null));
    return first === undefined ? null : [first, ...others];
  },
  id: sql`orders.id`,
  sorts: { placedAt: sql`orders.placed_at` },
  sums: {
    energyWh: sql`orders.energy_wh`,
    amountFen: sql`orders.amount_fen`,
    paidFen: sql`orders.paid_fen`,
    giftPaidFen: sql`orders.gift_paid_fen`,
    owedFen: sql`orders.owed_fen`,
    refundedFen: sql`orders.refunded_fen`,
  },
  rows: useRows,
  toItem: ({ cardId, siteName, placedAt, startedAt, endedAt, ...row }: UseRow) => {
    if (cardId === null) throw new Error(`order ${row.orderNumber} has no card`);
    return {
      ...row,
      cardId,
      siteName: siteName ?? '',
      placedAt: toIso(placedAt),
      startedAt: isoOrNull(startedAt),
      endedAt: isoOrNull(endedAt),
    };
  },
  neverShrinks: true,
});
