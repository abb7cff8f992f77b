import type { ApiError } from '@voltdeck/contract/errors';
import type { reviewInvoices, reviewInvoice as route } from '@voltdeck/contract/invoices';
import type { BodyOf } from '@voltdeck/contract/route';
import { allows } from '@voltdeck/invoices/states';
import type { InvoiceId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { InvoiceProvider, Seller } from '../invoicing/invoice-provider.ts';
import { lockOrders } from './apply-invoice.ts';
import { ordersToInvoice, toOrderToInvoice } from './invoiced-orders.ts';
import { type InvoiceRow, moveInvoice } from './move-invoice.ts';
import { lockScopedInvoice, notOpen } from './scoped-invoice.ts';
import { readSeller, sellerAsPrinted } from './sellers.ts';

type Review = BodyOf<typeof route>;

/** Passes an application, which has it issued, or rejects it with a reason, which frees its orders. */
export async function reviewInvoice(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  id: InvoiceId,
  { decision, reason = '' }: Review,
  at: Instant,
): Promise<Result<InvoiceRow, ApiError>> {
  if (decision === undefined) return failed({ code: 'invoice.decision_required' });
  if (decision === 'reject' && reason === '') return failed({ code: 'invoice.reason_required' });
  const locked = await lockWithOrders(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (row.step !== 'review') return failed(notOpen('invoice.not_waiting', row));
  const reviewed = { reviewed_by: caller.userId, reviewed_at: at };
  const noted = { recordKind: 'invoice', recordId: id, before: { state: row.state } };
  if (decision === 'reject') {
    const set = { ...reviewed, rejection_reason: reason };
    const moved = await moveInvoice(trx, row, 'reject', at, { userId: caller.userId, text: reason, set });
    if (moved === null) return failed(notOpen('invoice.not_waiting', row));
    await audit(trx, caller, at, { action: 'invoice.reject', ...noted, after: { reason } });
    return ok(moved);
  }
  const request = await requestOf(trx, provider, row);
  if (!request.ok) return request;
  const set = { ...reviewed, ...request.value };
  const moved = await moveInvoice(trx, row, 'pass', at, { userId: caller.userId, text: reason, set });
  if (moved === null) return failed(notOpen('invoice.not_waiting', row));
  await audit(trx, caller, at, { action: 'invoice.pass', ...noted, after: { amountFen: row.amount_fen, reason } });
  return ok(moved);
}

/** An invoice with its orders. These come first, as in a refund, which tells the invoice of its order. */
async function lockWithOrders(trx: Trx, caller: Caller, id: InvoiceId): Promise<Result<InvoiceRow, ApiError>> {
  await lockOrdersOf(trx, [id]);
  return lockScopedInvoice(trx, caller, id);
}

async function lockOrdersOf(trx: Trx, invoices: readonly InvoiceId[]): Promise<void> {
  const parts = await trx.selectFrom('invoice_orders').select('order_id').where('invoice_id', 'in', invoices).execute();
  if (parts.length > 0)
    await lockOrders(
      trx,
      parts.map(({ order_id }) => order_id),
    );
}

/** Decides them together or not at all. */
export async function reviewMany(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  { ids, ...review }: BodyOf<typeof reviewInvoices>,
  at: Instant,
): Promise<Result<InvoiceRow[], ApiError>> {
  if (review.decision === undefined) return failed({ code: 'invoice.decision_required' });
  const each = [...new Set(ids)].sort((a, b) => a - b);
  if (each.length === 0) return failed({ code: 'invoice.none_selected' });
  await lockOrdersOf(trx, each);
  const decided: InvoiceRow[] = [];
  for (const id of each) {
    const reviewed = await reviewInvoice(trx, provider, caller, id, review, at);
    if (!reviewed.ok) return reviewed;
    decided.push(reviewed.value);
  }
  return ok(decided);
}

/** Has an invoice issued again that the provider refused, or signed again whose signature failed. */
export async function retryInvoice(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  id: InvoiceId,
  at: Instant,
): Promise<Result<InvoiceRow, ApiError>> {
  const locked = await lockWithOrders(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (row.step !== 'refused' && row.step !== 'signing_failed') return failed(notOpen('invoice.not_failed', row));
  if (row.step === 'signing_failed' && row.provider !== provider.name) {
    return failed({ code: 'invoice.other_provider', params: { number: row.number } });
  }
  const request =
    row.step === 'signing_failed' ? ok({}) : await requestOf(trx, provider, row, { isRed: row.kind === 'red' });
  if (!request.ok) return request;
  const set = { ...request.value, failure: null };
  const moved = await moveInvoice(trx, row, 'retry', at, { userId: caller.userId, set });
  if (moved === null) return failed(notOpen('invoice.not_failed', row));
  await audit(trx, caller, at, { action: 'invoice.retry', recordKind: 'invoice', recordId: id });
  return ok(moved);
}

/**
 * A new request at the provider: the seller as it is now, under a number of its own. Refused where money of its orders
 * has gone back, or more has come in, since it was applied for.
 */
async function requestOf(
  trx: Trx,
  provider: InvoiceProvider,
  row: InvoiceRow,
  { isRed = false } = {},
): Promise<Result<ReturnType<typeof newRequest>, ApiError>> {
  if (!isRed) {
    const changed = await findChanged(trx, row);
    if (changed !== null) return failed(changed);
  }
  const seller = await readSeller(trx, row.agent_id);
  if (seller === null) throw new Error(`the seller of invoice ${row.number} does not exist`);
  if (!isRed && !allows(seller.allowed, row.type)) {
    return failed({ code: 'invoice.type_not_allowed', params: { seller: seller.name } });
  }
  const printed = sellerAsPrinted(seller);
  const lacks = provider.lacks(printed);
  if (lacks.length > 0) {
    const params = { seller: seller.name };
    return failed({ code: 'invoice.seller_incomplete', params, words: { field: `invoices.seller.${lacks[0]}` } });
  }
  return ok(newRequest(provider, row, printed));
}

const requestsMax = 99;

export function newRequest(provider: InvoiceProvider, row: Pick<InvoiceRow, 'number' | 'attempts'>, seller: Seller) {
  const attempts = row.attempts + 1;
  if (attempts > requestsMax) throw new Error(`invoice ${row.number} was handed over ${requestsMax} times`);
  return {
    provider: provider.name,
    attempts,
    request_number: requestNumberOf(row.number, attempts),
    seller: JSON.stringify(seller),
    provider_serial: null,
    invoice_number: null,
    invoice_code: null,
    failure: null,
  };
}

/** Twenty digits, the most that services take: the serial number's without its century, and which attempt it is. */
export function requestNumberOf(number: string, attempt: number): string {
  return `${number.slice(3)}${String(attempt).padStart(2, '0')}`;
}

async function findChanged(trx: Trx, row: InvoiceRow): Promise<ApiError | null> {
  const parts = await trx.selectFrom('invoice_orders').selectAll().where('invoice_id', '=', row.id).execute();
  const ids = parts.map(({ order_id }) => order_id);
  const orders = await ordersToInvoice(trx).where('orders.id', 'in', ids).execute();
  const now = new Map(orders.map((order) => [order.id, toOrderToInvoice(order)]));
  for (const part of parts) {
    const order = now.get(part.order_id);
    if (order !== undefined && order.amountFen !== part.amount_fen) {
      const params = {
        number: order.number,
        before: formatYuan(part.amount_fen),
        now: formatYuan(order.amountFen),
      };
      return { code: 'invoice.amount_changed', params };
    }
  }
  return null;
}
