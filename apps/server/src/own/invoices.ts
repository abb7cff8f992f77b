import type { ApiError } from '@voltdeck/contract/errors';
import { invoiceableMax } from '@voltdeck/contract/invoices';
import type { createOwnInvoice, listOwnInvoiceOrders, listOwnInvoices, OwnInvoice } from '@voltdeck/contract/own';
import type { AnswerOf, BodyOf, QueryOf } from '@voltdeck/contract/route';
import type { InvoiceId, InvoiceTitleId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { applyByCustomer } from '../invoices/apply-invoice.ts';
import { ordersToInvoice, toOrderToInvoice } from '../invoices/invoiced-orders.ts';
import { pageBy, toPage } from './page.ts';

/** Applies, unless the customer is disabled. */
export async function applyForOwnInvoice(
  trx: Trx,
  caller: CustomerCaller,
  form: BodyOf<typeof createOwnInvoice>,
  at: Instant,
): Promise<Result<InvoiceId, ApiError>> {
  const customer = await trx
    .selectFrom('customers')
    .select('state')
    .where('id', '=', caller.customerId)
    .executeTakeFirst();
  if (customer?.state !== 'normal') return failed({ code: 'my.disabled' });
  return applyByCustomer(trx, caller, form, at);
}

export async function findOwnInvoiceOrders(
  db: Kysely<Tables>,
  caller: CustomerCaller,
): Promise<AnswerOf<typeof listOwnInvoiceOrders>> {
  const settled = ordersToInvoice(db)
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .select('agents.name as sellerName')
    .where('orders.state', '=', 'completed')
    // What a group paid for is the group's to have invoiced.
    .where('orders.group_id', 'is', null);
  const rows = await ofCustomer(settled, caller, 'orders.customer_id')
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(invoiceableMax)
    .execute();
  const items = rows.map((row) => {
    const { id, number, siteName, endedAt, amountFen, obstacle } = toOrderToInvoice(row);
    return {
      orderId: id,
      number,
      siteName,
      sellerName: row.sellerName,
      endedAt: isoOrNull(endedAt),
      amountFen,
      obstacle,
    };
  });
  return { items };
}

export async function findOwnInvoice(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  id: InvoiceId,
): Promise<OwnInvoice | null> {
  const row = await ownInvoices(db, caller).where('invoices.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toOwnInvoice(row);
}

export async function findOwnInvoices(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  page: QueryOf<typeof listOwnInvoices>,
): Promise<AnswerOf<typeof listOwnInvoices>> {
  const invoices = pageBy(ownInvoices(db, caller), page, { at: 'invoices.applied_at', id: 'invoices.id' });
  return toPage(await invoices.execute(), page, ({ appliedAt }) => appliedAt, toOwnInvoice);
}

/** The row of an own invoice, for its document. */
export function findOwnInvoiceRow(db: Kysely<Tables>, caller: CustomerCaller, id: InvoiceId) {
  return ofCustomer(db.selectFrom('invoices'), caller, 'invoices.customer_id')
    .selectAll()
    .where('invoices.id', '=', id)
    .executeTakeFirst();
}

/** Forgets a title; the oldest of the others becomes the default where it was. */
export async function deleteOwnTitle(
  trx: Trx,
  { customerId }: CustomerCaller,
  id: InvoiceTitleId,
): Promise<Result<null, ApiError>> {
  const deleted = await trx
    .deleteFrom('invoice_titles')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .returning('is_default')
    .executeTakeFirst();
  if (deleted === undefined) return failed({ code: 'record.not_found' });
  if (deleted.is_default) {
    await trx
      .updateTable('invoice_titles')
      .set({ is_default: true })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('invoice_titles')
          .select((select) => select.fn.min('id').as('id'))
          .where('customer_id', '=', customerId),
      )
      .execute();
  }
  return ok(null);
}

function ownInvoices(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(db.selectFrom('invoices'), caller, 'invoices.customer_id')
    .select(['invoices.id', 'number', 'kind', 'type', 'title', 'email', 'state'])
    .select(['order_count as orderCount', 'amount_fen as amountFen', 'net_fen as netFen', 'tax_fen as taxFen'])
    .select(['title_kind as titleKind', 'tax_number as taxNumber', 'invoice_number as invoiceNumber'])
    .select(['applied_at as appliedAt', 'issued_at as issuedAt'])
    .select('rejection_reason as failure')
    .select(sql<boolean>`invoices.issued_at is not null`.as('hasDocument'));
}

type Row = Omit<OwnInvoice, 'appliedAt' | 'issuedAt'> & { appliedAt: Instant; issuedAt: Instant | null };

function toOwnInvoice({ appliedAt, issuedAt, ...invoice }: Row): OwnInvoice {
  return { ...invoice, appliedAt: toIso(appliedAt), issuedAt: isoOrNull(issuedAt) };
}
