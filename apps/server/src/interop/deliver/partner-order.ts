import type { PartnerOrder, PartnerOrderLine } from '@voltdeck/charging/partner-charge';
import type { StopReason } from '@voltdeck/charging/states';
import { recordSeq } from '@voltdeck/tcec102/conversation';
import type { ConnectorId, OrderId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';

export type ReadOrder = PartnerOrder & {
  siteId: SiteId;
  stationId: StationId;
  connectorId: ConnectorId;
  paidFen: number;
  settledAt: Instant | null;
  paymentType: string;
};

/**
 * The bill of a settled order in the words that operators compare. One that no partner began gets a name of ours, as
 * supervising platforms want one of every charge.
 */
export async function readPartnerOrder(
  db: Kysely<Tables>,
  orderId: OrderId,
  ownCode: string,
): Promise<ReadOrder | null> {
  const order = await db
    .selectFrom('orders as o')
    .leftJoin('partner_charges as p', 'p.order_id', 'o.id')
    .select(['p.sequence', 'p.port_id as portId', 'o.started_at as from', 'o.ended_at as to'])
    .select(['o.energy_wh as energyWh', 'o.electricity_fee_fen as electricityFeeFen', 'o.stop_reason as stopReason'])
    .select(['o.service_fee_fen as serviceFeeFen', 'o.amount_fen as amountFen', 'o.vin', 'o.plate', 'o.placed_at'])
    .select(['o.site_id as siteId', 'o.station_id as stationId', 'o.connector_id as connectorId'])
    .select(['o.paid_fen as paidFen', 'o.settled_at as settledAt', 'o.payment_type as paymentType'])
    .where('o.id', '=', orderId)
    .where('o.state', '=', 'completed')
    .executeTakeFirst();
  if (order === undefined || order.from === null || order.to === null) return null;
  const lines = await db
    .selectFrom('order_lines')
    .select(['from_at as from', 'to_at as to', 'electricity_price_e5 as electricityPriceE5'])
    .select(['service_price_e5 as servicePriceE5', 'energy_wh as energyWh', 'period'])
    .select(['electricity_fee_fen as electricityFeeFen', 'service_fee_fen as serviceFeeFen'])
    .where('order_id', '=', orderId)
    .orderBy('line')
    .execute();
  const { vin, plate, from, to, stopReason, sequence, portId, connectorId, placed_at: placedAt } = order;
  return {
    ...order,
    connectorId,
    sequence: sequence ?? recordSeq(ownCode, placedAt, orderId),
    portId: portId ?? String(connectorId),
    from,
    to,
    stopReason: (stopReason ?? 'other') as StopReason,
    lines: lines.map(({ period, ...line }): PartnerOrderLine => ({ ...line, ...(period === null ? {} : { period }) })),
    vin: vin ?? undefined,
    plate: plate ?? undefined,
  };
}
