import type { InvoiceObstacle } from '@voltdeck/contract/invoices';
import { type InvoicedOrder, invoicedOf } from '@voltdeck/invoices/amounts';
import type { WattHours } from '@voltdeck/units/energy';
import type { AgentId, CardId, CustomerId, GroupId, InvoiceId, OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** An order as far as its invoice goes. */
export type OrderToInvoice = {
  id: OrderId;
  number: string;
  agentId: AgentId | null;
  customerId: CustomerId | null;
  cardId: CardId | null;
  groupId: GroupId | null;
  siteName: string;
  endedAt: Instant | null;
  energyWh: WattHours;
  obstacle: InvoiceObstacle | null;
  /** The invoice that holds it. */
  invoiceId: InvoiceId | null;
  invoiceNumber: string | null;
} & InvoicedOrder;

/** Orders with what of them can be invoiced, and why not. Narrow it before it runs. */
export function ordersToInvoice(db: Kysely<Tables>) {
  return db
    .selectFrom('orders')
    .innerJoin('sites', 'sites.id', 'orders.site_id')
    .leftJoin('invoice_orders as held', (join) =>
      join.onRef('held.order_id', '=', 'orders.id').on(sql<boolean>`held.stands`),
    )
    .leftJoin('invoices as holder', 'holder.id', 'held.invoice_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.agent_id as agentId',
      'orders.customer_id as customerId',
      'orders.card_id as cardId',
      'orders.group_id as groupId',
      'orders.ended_at as endedAt',
      'orders.energy_wh as energyWh',
      'orders.state as orderState',
      'orders.settled_at as settledAt',
      'orders.owed_fen as owedFen',
      'orders.electricity_fee_fen as electricityFeeFen',
      'orders.service_fee_fen as serviceFeeFen',
      'orders.discount_fen as discountFen',
      'orders.paid_fen as paidFen',
      'orders.gift_paid_fen as giftPaidFen',
      'orders.refunded_fen as refundedFen',
      'orders.refunded_gift_fen as refundedGiftFen',
      'sites.name as siteName',
      'sites.invoice_available as isAvailable',
      'holder.id as invoiceId',
      'holder.number as invoiceNumber',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof ordersToInvoice>['execute']>>[number];

/** Of several obstacles, the one that a person can do least about. */
export function toOrderToInvoice(row: Row): OrderToInvoice {
  const { id, number, agentId, customerId, cardId, groupId, siteName, endedAt, energyWh, invoiceId, invoiceNumber } =
    row;
  const isSettled = row.orderState === 'completed' && row.settledAt !== null;
  const invoiced: InvoicedOrder = isSettled
    ? invoicedOf(row)
    : { amountFen: zeroFen, electricityFen: zeroFen, serviceFen: zeroFen };
  const order = {
    id,
    number,
    agentId,
    customerId,
    cardId,
    groupId,
    siteName,
    endedAt,
    energyWh,
    invoiceId,
    invoiceNumber,
  };
  return { ...order, ...invoiced, obstacle: obstacleOf(row, { isSettled, amountFen: invoiced.amountFen }) };
}

function obstacleOf(
  row: Row,
  { isSettled, amountFen }: { isSettled: boolean; amountFen: Fen },
): InvoiceObstacle | null {
  if (row.invoiceId !== null) return 'invoice.order_invoiced';
  if (!row.isAvailable) return 'invoice.site_unavailable';
  if (!isSettled) return 'invoice.order_not_settled';
  if (row.owedFen > 0) return 'invoice.order_owes';
  return amountFen > 0 ? null : 'invoice.order_nothing_paid';
}
