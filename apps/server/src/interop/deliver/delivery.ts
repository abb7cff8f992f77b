import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import type { ConnectorId, OrderId, SiteId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { PartnerDeliveriesTable } from '../../database/tables.generated.ts';

export type DeliveryKind = PartnerDeliveriesTable['kind'];

/**
 * Of a state only the latest is told, by one delivery that waits. As text of the index `partner_deliveries_latest`, which
 * a conflict is found by.
 */
export const isOfState = sql.raw(`kind in ('status', 'charge_status', 'station', 'power')`);

/** A delivery that a worker has taken up. */
export type DueDelivery = {
  id: number;
  version: number;
  kind: DeliveryKind;
  orderId: OrderId | null;
  connectorId: ConnectorId | null;
  siteId: SiteId | null;
  day: string | null;
  tries: number;
};

/** A call that tells it. */
export type Told = {
  [Name in InterfaceName]: { interfaceName: Name; request: Message<Name, 'request'> };
}[InterfaceName];
