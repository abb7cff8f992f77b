import { type InvoicedOrder, takenBackOf } from '@voltdeck/invoices/amounts';
import type { InvoiceId, OrderId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { ordersToInvoice, toOrderToInvoice } from './invoiced-orders.ts';

export type RefundedPart = { orderId: OrderId } & InvoicedOrder;

/** The orders that an invoice holds, to be locked before it: refunds lock them in that order. */
export async function ordersOfInvoice(db: Kysely<Tables>, id: InvoiceId): Promise<OrderId[]> {
  const parts = await db.selectFrom('invoice_orders').select('order_id').where('invoice_id', '=', id).execute();
  return parts.map(({ order_id }) => order_id);
}

/**
 * What was refunded of an invoice's orders and no issued red letter has taken back yet, by order, in fen above zero.
 * Nothing where the invoice says what was kept of them.
 */
export async function findRefundedParts(db: Kysely<Tables>, id: InvoiceId): Promise<RefundedPart[]> {
  const parts = await db
    .selectFrom('invoice_orders as part')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('invoice_orders as back')
          .innerJoin('invoices as red', 'red.id', 'back.invoice_id')
          .select('back.order_id')
          .select(sql<number>`sum(back.electricity_fen)::bigint`.as('electricity_fen'))
          .select(sql<number>`sum(back.service_fen)::bigint`.as('service_fen'))
          .where('red.original_id', '=', id)
          .where('red.is_part', '=', true)
          .where('red.step', '=', 'issued')
          .groupBy('back.order_id')
          .as('taken'),
      (join) => join.onRef('taken.order_id', '=', 'part.order_id'),
    )
    .select(['part.order_id as orderId', 'part.electricity_fen', 'part.service_fen'])
    .select(sql<number>`coalesce(taken.electricity_fen, 0)::bigint`.as('electricityTaken'))
    .select(sql<number>`coalesce(taken.service_fen, 0)::bigint`.as('serviceTaken'))
    .where('part.invoice_id', '=', id)
    .orderBy('part.order_id')
    .execute();
  const ids = parts.map(({ orderId }) => orderId);
  const orders = await ordersToInvoice(db).where('orders.id', 'in', ids).execute();
  const now = new Map(orders.map((order) => [order.id, toOrderToInvoice(order)]));
  return parts.flatMap((part) => {
    const order = now.get(part.orderId);
    if (order === undefined) throw new Error(`order ${part.orderId} of invoice ${id} does not exist`);
    const electricityFen = fen(part.electricity_fen - part.electricityTaken);
    const serviceFen = fen(part.service_fen - part.serviceTaken);
    const held = { amountFen: fen(electricityFen + serviceFen), electricityFen, serviceFen };
    const back = takenBackOf(held, order);
    return back.amountFen === 0 ? [] : [{ orderId: part.orderId, ...back }];
  });
}
