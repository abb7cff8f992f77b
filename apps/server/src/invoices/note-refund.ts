import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { noteEvent } from './move-invoice.ts';

/**
 * What of an order's money went back is no longer sold: an invoice that was handed over asks for its red letter, one that
 * was not is to be applied for anew.
 */
export async function noteRefund(
  trx: Trx,
  caller: Pick<Caller, 'userId'>,
  order: { id: OrderId; number: string },
  at: Instant,
): Promise<void> {
  const holder = await trx
    .selectFrom('invoice_orders as part')
    .innerJoin('invoices', 'invoices.id', 'part.invoice_id')
    .select(['invoices.id', 'invoices.step'])
    .where('part.order_id', '=', order.id)
    .where('part.stands', '=', true)
    .executeTakeFirst();
  if (holder === undefined) return;
  const isHandedOver = holder.step !== 'review' && holder.step !== 'refused';
  await trx
    .updateTable('invoices')
    .set({ attention: isHandedOver ? 'red_letter_needed' : 'amount_changed' })
    .where('id', '=', holder.id)
    .execute();
  await noteEvent(trx, holder.id, { event: 'refund', userId: caller.userId, text: order.number }, at);
}
