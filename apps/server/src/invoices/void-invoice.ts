import type { ApiError } from '@voltdeck/contract/errors';
import type { redLetterInvoice as redLetterRoute, voidInvoices } from '@voltdeck/contract/invoices';
import type { BodyOf } from '@voltdeck/contract/route';
import { reddenedOf } from '@voltdeck/invoices/amounts';
import { stepAfter } from '@voltdeck/invoices/transitions';
import { wattHours } from '@voltdeck/units/energy';
import type { InvoiceId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, formatYuan, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { InvoiceProvider, Seller } from '../invoicing/invoice-provider.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { lockOrders } from './apply-invoice.ts';
import { giveInvoiceJob, type InvoiceRow, lockInvoice, moveInvoice, noteEvent, valuesOf } from './move-invoice.ts';
import { findRefundedParts, ordersOfInvoice, type RefundedPart } from './refunded-parts.ts';
import { newRequest } from './review-invoice.ts';
import { lockScopedInvoice, notOpen } from './scoped-invoice.ts';

/**
 * Voids an invoice: at once where the provider issued nothing, else through the provider. A red letter that was refused is
 * given up, and the invoice that it was for stands again.
 */
export async function voidInvoice(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  id: InvoiceId,
  { reason = '' }: { reason?: string | undefined },
  at: Instant,
): Promise<Result<InvoiceRow[], ApiError>> {
  const original = await lockOriginal(trx, id);
  const locked = await lockScopedInvoice(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  const next = stepAfter(row.kind, row.step, 'void');
  if (next === null) return failed(notOpen('invoice.not_voidable', row));
  if (next === 'voiding' && row.provider !== provider.name) {
    return failed({ code: 'invoice.other_provider', params: { number: row.number } });
  }
  const reddenedFen = addFen(row.reddened_electricity_fen, row.reddened_service_fen);
  if (reddenedFen > 0) {
    const params = { number: row.number, amount: formatYuan(reddenedFen) };
    return failed({ code: 'invoice.partly_reddened', params });
  }
  const moved = await moveInvoice(trx, row, 'void', at, {
    userId: caller.userId,
    text: reason,
    set: { failure: null },
  });
  if (moved === null) return failed(notOpen('invoice.not_voidable', row));
  await audit(trx, caller, at, {
    action: 'invoice.void',
    recordKind: 'invoice',
    recordId: id,
    before: { state: row.state },
    after: { state: moved.state, reason },
  });
  if (original === undefined) return ok([moved]);
  const kept = await moveInvoice(trx, original, 'keep', at, { userId: caller.userId, text: row.number });
  await noteEvent(trx, original.id, { event: 'give_up_red_letter', userId: caller.userId, text: row.number }, at);
  return ok(kept === null ? [moved] : [moved, kept]);
}

/** The invoice that a red letter takes back, which is locked before it, as where the provider's answer is taken. */
async function lockOriginal(trx: Trx, id: InvoiceId): Promise<InvoiceRow | undefined> {
  const red = await trx.selectFrom('invoices').select('original_id as of').where('id', '=', id).executeTakeFirst();
  return red === undefined || red.of === null ? undefined : lockInvoice(trx, red.of);
}

/** All of them or none. */
export async function voidMany(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  { ids, ...rest }: BodyOf<typeof voidInvoices>,
  at: Instant,
): Promise<Result<InvoiceRow[], ApiError>> {
  const each = [...new Set(ids)].sort((a, b) => a - b);
  if (each.length === 0) return failed({ code: 'invoice.none_selected' });
  const moved: InvoiceRow[] = [];
  for (const id of each) {
    const voided = await voidInvoice(trx, provider, caller, id, rest, at);
    if (!voided.ok) return voided;
    moved.push(...voided.value);
  }
  return ok(moved);
}

/**
 * Takes an issued invoice back: a red letter is issued over all that stands of it, and once it is, the orders are free; or
 * over what was refunded of its orders, and the invoice stands for the rest. All of it refunded is the rest.
 */
export async function redLetterInvoice(
  trx: Trx,
  provider: InvoiceProvider,
  caller: Caller,
  id: InvoiceId,
  { extent = 'rest', reason }: BodyOf<typeof redLetterRoute>,
  at: Instant,
): Promise<Result<InvoiceRow[], ApiError>> {
  await lockOrders(trx, await ordersOfInvoice(trx, id));
  const locked = await lockScopedInvoice(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (stepAfter(row.kind, row.step, 'red_letter') === null) return failed(notOpen('invoice.not_invoiced', row));
  if (row.provider !== provider.name || row.seller === null) {
    return failed({ code: 'invoice.other_provider', params: { number: row.number } });
  }
  const parts = extent === 'refunded' ? await findRefundedParts(trx, id) : null;
  if (parts?.length === 0) return failed({ code: 'invoice.nothing_refunded', params: { number: row.number } });
  const standing = {
    electricityFen: subtractFen(row.electricity_fen, row.reddened_electricity_fen),
    serviceFen: subtractFen(row.service_fen, row.reddened_service_fen),
  };
  const back =
    parts === null
      ? standing
      : {
          electricityFen: addFen(...parts.map(({ electricityFen }) => electricityFen)),
          serviceFen: addFen(...parts.map(({ serviceFen }) => serviceFen)),
        };
  const isPart = back.electricityFen < standing.electricityFen || back.serviceFen < standing.serviceFen;
  const electricity = reddenedOf(standing.electricityFen, back.electricityFen, row.electricity_rate_bp);
  const service = reddenedOf(standing.serviceFen, back.serviceFen, row.service_rate_bp);
  const moved = await moveInvoice(trx, row, 'red_letter', at, { userId: caller.userId, text: reason });
  if (moved === null) return failed(notOpen('invoice.not_invoiced', row));
  const { id: _, ...same } = row;
  const number = receiptNumber('I', at);
  const red = await trx
    .insertInto('invoices')
    .values({
      ...same,
      number,
      kind: 'red',
      original_id: id,
      is_part: isPart,
      reddened_electricity_fen: zeroFen,
      reddened_service_fen: zeroFen,
      // Money of a part went back, and no energy.
      ...(isPart && parts !== null ? { order_count: parts.length, energy_wh: wattHours(0) } : {}),
      amount_fen: negative(addFen(electricity.grossFen, service.grossFen)),
      net_fen: negative(addFen(electricity.netFen, service.netFen)),
      tax_fen: negative(addFen(electricity.taxFen, service.taxFen)),
      electricity_fen: negative(electricity.grossFen),
      electricity_tax_fen: negative(electricity.taxFen),
      service_fen: negative(service.grossFen),
      service_tax_fen: negative(service.taxFen),
      ...valuesOf('issuing'),
      // The document says the seller of the invoice that it takes back.
      ...newRequest(provider, { number, attempts: 0 }, row.seller as Seller),
      red_reason: reason,
      attention: null,
      delivery: null,
      delivery_tries: 0,
      delivery_next_at: null,
      delivery_problem: null,
      step_at: at,
      asked_at: null,
      next_try_at: at,
      issued_at: null,
      document_file_id: null,
      applied_by: caller.userId,
      applied_at: at,
      reviewed_by: caller.userId,
      reviewed_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isPart && parts !== null) await insertParts(trx, red.id, parts);
  await noteEvent(trx, red.id, { event: 'apply', userId: caller.userId, text: reason }, at);
  await giveInvoiceJob(trx, red.id);
  await audit(trx, caller, at, {
    action: 'invoice.red_letter',
    recordKind: 'invoice',
    recordId: id,
    after: { number, reason, amountFen: red.amount_fen, isPart },
  });
  return ok([moved, red]);
}

function negative(amount: Fen): Fen {
  return fen(0 - amount);
}

/** What a red letter takes back of each order; the order stays on the invoice. */
async function insertParts(trx: Trx, redId: InvoiceId, parts: readonly RefundedPart[]): Promise<void> {
  await trx
    .insertInto('invoice_orders')
    .values(
      parts.map(({ orderId, amountFen, electricityFen, serviceFen }) => ({
        invoice_id: redId,
        order_id: orderId,
        energy_wh: wattHours(0),
        amount_fen: amountFen,
        electricity_fen: electricityFen,
        service_fen: serviceFen,
        stands: false,
      })),
    )
    .execute();
}
