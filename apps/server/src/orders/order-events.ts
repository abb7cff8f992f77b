import type { OrderState } from '@voltdeck/charging/states';
import type { AgentId, ConnectorId, CustomerId, OrderId, StationId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';

/** The columns of an order that an event carries. */
export type OrderMoved = {
  id: OrderId;
  number: string;
  state: OrderState;
  stationId: StationId;
  connectorId: ConnectorId | null;
  agentId: AgentId | null;
  customerId: CustomerId | null;
  energyWh: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
};

/** Publishes an order's step to consoles. Call it after the commit. */
export function publishMoved(context: Context, order: OrderMoved): void {
  context.bus.publish({
    agentId: order.agentId,
    stationId: order.stationId,
    customerId: order.customerId,
    event: {
      kind: 'order-changed',
      orderId: order.id,
      number: order.number,
      state: order.state,
      connectorId: order.connectorId,
      energyWh: order.energyWh,
      amountFen: order.electricityFeeFen + order.serviceFeeFen,
      electricityFeeFen: order.electricityFeeFen,
      serviceFeeFen: order.serviceFeeFen,
      powerW: null,
      socPercent: null,
      at: toIso(context.now()),
    },
  });
}
