import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import type { ConnectorId, OrderId, SiteId } from '@voltdeck/units/id';
import type { PartnerDeliveriesTable } from '../../database/tables.generated.ts';

export type DeliveryKind = PartnerDeliveriesTable['kind'];

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
