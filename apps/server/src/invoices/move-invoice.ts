import type { InvoiceEvent } from '@voltdeck/contract/invoices';
import { codeOf, holdsOrders, type InvoiceStep, stateOf } from '@voltdeck/invoices/states';
import { type InvoiceAct, isAtProvider, stepAfter } from '@voltdeck/invoices/transitions';
import type { InvoiceId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Insertable, Updateable } from 'kysely';
import { giveJob } from '../database/give-job.ts';
import type { InvoicesTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof lockInvoice>>>;

/** An invoice, locked until the transaction ends. */
export function lockInvoice(trx: Trx, id: InvoiceId) {
  return trx.selectFrom('invoices').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

type Moved = {
  userId: UserId | null;
  /** What is told of it: a reason, or what the provider said. */
  text?: string;
  /** Columns beyond those of the step. */
  set?: Omit<Updateable<InvoicesTable>, 'state' | 'step' | 'external_code' | 'step_at'>;
};

/**
 * Brings an invoice to the step that an act leads to, notes it, frees its orders where it no longer holds them, and has
 * the provider asked where that is its turn. Null, and nothing changed, where the act is not open.
 */
export async function moveInvoice(
  trx: Trx,
  row: InvoiceRow,
  act: InvoiceAct,
  at: Instant,
  { userId, text = '', set = {} }: Moved,
): Promise<InvoiceRow | null> {
  const step = stepAfter(row.kind, row.step, act);
  if (step === null) return null;
  const asks = isAtProvider(step);
  // What a provider says brings it nearer to an end; what a person does begins to ask anew.
  const isNews = userId === null;
  const changed = await trx
    .updateTable('invoices')
    .set({
      ...valuesOf(step),
      step_at: at,
      person_step: act === 'need_person' ? text : null,
      doubt: null,
      ...(asks ? (isNews ? {} : { asked_at: null, next_try_at: at }) : { next_try_at: null }),
      ...(holdsOrders(step) ? {} : { attention: null }),
      ...set,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!holdsOrders(step)) {
    await trx.updateTable('invoice_orders').set({ stands: false }).where('invoice_id', '=', row.id).execute();
  }
  await noteEvent(trx, row.id, { event: act, userId, text }, at);
  if (asks && !isNews) await giveInvoiceJob(trx, row.id);
  return changed;
}

export function valuesOf(step: InvoiceStep): Pick<Insertable<InvoicesTable>, 'step' | 'state' | 'external_code'> {
  return { step, state: stateOf(step), external_code: codeOf(step) };
}

export async function giveInvoiceJob(trx: Trx, invoiceId: InvoiceId): Promise<void> {
  await giveJob(trx, 'work-invoice', { invoiceId }, { key: `invoice:${invoiceId}` });
}

export async function noteEvent(
  trx: Trx,
  invoiceId: InvoiceId,
  { event, userId, text = '' }: { event: InvoiceEvent; userId: UserId | null; text?: string },
  at: Instant,
): Promise<void> {
  await trx.insertInto('invoice_events').values({ invoice_id: invoiceId, at, event, user_id: userId, text }).execute();
}
