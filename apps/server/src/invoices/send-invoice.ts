import type { ApiError } from '@voltdeck/contract/errors';
import { deliveriesPerInvoiceMax, deliveriesPerUserMax } from '@voltdeck/contract/invoices';
import { holdsOrders } from '@voltdeck/invoices/states';
import { canSend } from '@voltdeck/invoices/transitions';
import type { InvoiceId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { storableText } from '../database/column-values.ts';
import { giveJob } from '../database/give-job.ts';
import { type Trx, transact } from '../database/transact.ts';
import { type InvoiceRoom, publishInvoice } from './invoice-room.ts';
import { type InvoiceRow, lockInvoice, noteEvent } from './move-invoice.ts';
import { issuedNameOf, issueRequestOf } from './requests.ts';
import { lockScopedInvoice, notOpen } from './scoped-invoice.ts';

/**
 * Has the document sent to an address, which becomes that of the invoice, or again to the one that it has. Refused beyond
 * `deliveriesPerInvoiceMax` and `deliveriesPerUserMax` within a day.
 */
export async function sendInvoice(
  trx: Trx,
  caller: Caller,
  id: InvoiceId,
  given: { email?: string | undefined },
  at: Instant,
): Promise<Result<InvoiceRow, ApiError>> {
  const locked = await lockScopedInvoice(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (!canSend(row.step)) return failed(notOpen('invoice.not_invoiced', row));
  const email = given.email ?? row.email;
  if (email === '') return failed({ code: 'request.invalid', fields: [{ path: 'email', code: 'required' }] });
  const refusal = await whyNotNow(trx, caller, row, at);
  if (refusal !== null) return failed(refusal);
  await beginDelivery(trx, row, { email }, at);
  await noteEvent(trx, id, { event: 'deliver', userId: caller.userId, text: email }, at);
  await audit(trx, caller, at, { action: 'invoice.send', recordKind: 'invoice', recordId: id, after: { email } });
  return ok(row);
}

/** The invoice is locked, and what one person asks for at once is counted one after the other. */
async function whyNotNow(
  trx: Trx,
  { userId }: Pick<Caller, 'userId'>,
  { id, number }: Pick<InvoiceRow, 'id' | 'number'>,
  at: Instant,
): Promise<ApiError | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invoice deliveries of ${userId}`}, 0))`.execute(trx);
  const asked = trx
    .selectFrom('invoice_events')
    .select('at')
    .where('event', '=', 'deliver')
    .where('at', '>', instant(at - dayMs))
    .orderBy('at', 'desc');
  const ofInvoice = await asked.where('invoice_id', '=', id).limit(deliveriesPerInvoiceMax).execute();
  const ofUser = await asked.where('user_id', '=', userId).limit(deliveriesPerUserMax).execute();
  const hoursUntilFree = (events: readonly { at: Instant }[], max: number) => {
    const oldest = events[max - 1];
    return oldest === undefined ? null : Math.ceil((oldest.at + dayMs - at) / hourMs);
  };
  const often = hoursUntilFree(ofInvoice, deliveriesPerInvoiceMax);
  if (often !== null) {
    return { code: 'invoice.sent_often', params: { number, max: deliveriesPerInvoiceMax, hours: often } };
  }
  const much = hoursUntilFree(ofUser, deliveriesPerUserMax);
  return much === null ? null : { code: 'invoice.sent_much', params: { max: deliveriesPerUserMax, hours: much } };
}

/** Tries of one delivery before it is left to a person: over a day and a half. */
export const deliveryTriesMax = 8;
/** After each try, how long until the next one; a server that is killed while it sends tries again as late. */
const deliveryGapsMs = [1, 5, 15, 60, 120, 360, 720, 720].map((minutes) => minutes * minuteMs);
/** Longer than any hand-over lasts, so that none begins while another is under way. */
const handOverMaxMs = 10 * minuteMs;
/** What one run sends. */
const perRunMax = 100;
const runBudgetMs = 50 * secondMs;
const problemMax = 300;

/** Puts a document into the outbox, for an address that becomes that of the invoice. */
export async function beginDelivery(
  trx: Trx,
  { id }: Pick<InvoiceRow, 'id'>,
  { email }: { email: string },
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({ email, delivery: 'waiting', delivery_tries: 0, delivery_next_at: at, delivery_problem: null })
    .where('id', '=', id)
    .execute();
  await giveJob(trx, 'deliver-invoice', { invoiceId: id }, { key: `invoice-delivery:${id}` });
}

/** Sends what is due in the outbox: first tries whose job was lost, and later ones. */
export async function deliverDueInvoices(room: InvoiceRoom): Promise<void> {
  const startedAt = room.now();
  const due = await room.database.db
    .selectFrom('invoices')
    .select('id')
    .where('delivery_next_at', '<=', startedAt)
    .orderBy('delivery_next_at')
    .limit(perRunMax)
    .execute();
  for (const { id } of due) {
    if (room.now() - startedAt >= runBudgetMs) break;
    try {
      await deliverInvoice(room, id);
    } catch (error) {
      // One that cannot be sent must not keep the others waiting.
      room.log.error({ err: error, invoiceId: id }, 'sending the document of an invoice failed');
    }
  }
}

const notToBeSent = { delivery: null, delivery_next_at: null, delivery_problem: null } as const;

/** The invoice, if its document is due and nobody else sends it now. One that dies with the server is tried again. */
async function claimDelivery({ database: { db }, now }: InvoiceRoom, id: InvoiceId): Promise<InvoiceRow | null> {
  return db.transaction().execute(async (trx) => {
    const row = await lockInvoice(trx, id);
    const at = now();
    if (row === undefined || row.delivery_next_at === null || row.delivery_next_at > at) return null;
    if (!canSend(row.step)) {
      // It waits for what becomes of its voiding; one that is gone is not sent.
      const left = holdsOrders(row.step) ? { delivery_next_at: instant(at + hourMs) } : notToBeSent;
      await trx.updateTable('invoices').set(left).where('id', '=', id).execute();
      return null;
    }
    return trx
      .updateTable('invoices')
      .set({ delivery_tries: row.delivery_tries + 1, delivery_next_at: instant(at + handOverMaxMs) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

function nextTryAt(tries: number, at: Instant): Instant {
  return instant(at + (deliveryGapsMs[tries - 1] ?? hourMs));
}

/**
 * Sends a document that is due. A provider that sends no mail leaves it to a person, and the invoice says so. What was
 * certainly not sent is tried again, `deliveryTriesMax` times; a mail that may have gone out is not sent again by itself.
 */
export async function deliverInvoice(room: InvoiceRoom, id: InvoiceId): Promise<void> {
  const { db } = room.database;
  const row = await claimDelivery(room, id);
  if (row === null) return;
  const isOthers = row.provider !== room.invoiceProvider.name;
  const delivered = isOthers
    ? ({ outcome: 'by_hand' } as const)
    : await room.invoiceProvider.deliver(await issueRequestOf(db, row), issuedNameOf(row));
  const at = room.now();
  const noted = await transact(db, async (trx) => {
    const now = await lockInvoice(trx, id);
    // Somebody had it sent again meanwhile.
    if (now?.delivery !== 'waiting' || now.email !== row.email || now.delivery_tries !== row.delivery_tries) {
      return ok(false);
    }
    const said = 'text' in delivered ? delivered.text : 'detail' in delivered ? delivered.detail : null;
    const problem = storableText(said)?.slice(0, problemMax) ?? null;
    if (delivered.outcome === 'later' && row.delivery_tries < deliveryTriesMax) {
      const delivery_next_at = nextTryAt(row.delivery_tries, at);
      await trx
        .updateTable('invoices')
        .set({ delivery_problem: problem, delivery_next_at })
        .where('id', '=', id)
        .execute();
      return ok(true);
    }
    const ended = {
      sent: { delivery: 'sent', event: 'delivered' },
      by_hand: { delivery: 'by_hand', event: 'to_deliver_by_hand' },
      refused: { delivery: 'failed', event: 'refuse_delivery' },
      later: { delivery: 'failed', event: 'refuse_delivery' },
      unknown: { delivery: 'failed', event: 'refuse_delivery' },
    } as const;
    const { delivery, event } = ended[delivered.outcome];
    await trx
      .updateTable('invoices')
      .set({ delivery, delivery_next_at: null, delivery_problem: problem })
      .where('id', '=', id)
      .execute();
    await noteEvent(trx, id, { event, userId: null, text: problem ?? row.email }, at);
    return ok(true);
  });
  if (noted.ok && noted.value) publishInvoice(room, { id, agentId: row.agent_id, state: row.state });
}
