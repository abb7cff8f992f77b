import { type InvoiceCall, type InvoiceCallKind, invoiceCallsShownMax } from '@voltdeck/contract/invoices';
import type { InvoiceId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { requestNumberOf } from './review-invoice.ts';

/** What was said with the provider about an invoice in all its attempts, the latest first; null out of scope. */
export async function findInvoiceCalls(
  db: Kysely<Tables>,
  caller: Caller,
  id: InvoiceId,
): Promise<{ items: InvoiceCall[] } | null> {
  const invoice = await scoped(
    db.selectFrom('invoices').select(['number', 'attempts']).where('id', '=', id),
    caller,
    'invoices.agent_id',
  ).executeTakeFirst();
  if (invoice === undefined) return null;
  if (invoice.attempts === 0) return { items: [] };
  const numbers = Array.from({ length: invoice.attempts }, (_, index) => requestNumberOf(invoice.number, index + 1));
  const calls = await db
    .selectFrom('invoice_calls')
    .select(['id', 'at', 'kind', 'number', 'request_id as requestId', 'outcome', 'status', 'problem'])
    .select(['took_ms as tookMs', 'request', 'response'])
    .where('number', 'in', numbers)
    .orderBy('id', 'desc')
    .limit(invoiceCallsShownMax)
    .execute();
  const items = calls.map(({ at, kind, number, ...call }) => ({
    ...call,
    at: toIso(at),
    kind: kind as InvoiceCallKind,
    number: number ?? '',
  }));
  return { items };
}
