import { Readable } from 'node:stream';
import type { InvoiceDoubt } from '@voltdeck/contract/invoices';
import { type InvoiceAct, isAtProvider } from '@voltdeck/invoices/transitions';
import type { FileId, InvoiceId } from '@voltdeck/units/id';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { subtractFen } from '@voltdeck/units/money';
import { ok } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { nextLookAt } from '../channels/growing-intervals.ts';
import { storableText } from '../database/column-values.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import type { KeptBytes } from '../files/file-store.ts';
import type { ProviderState } from '../invoicing/invoice-provider.ts';
import { type InvoiceRoom, publishInvoice } from './invoice-room.ts';
import { type InvoiceRow, lockInvoice, moveInvoice } from './move-invoice.ts';
import { findRefundedParts } from './refunded-parts.ts';
import { issuedNameOf, issueRequestOf } from './requests.ts';
import { beginDelivery } from './send-invoice.ts';

/** What one run asks about. */
const perRunMax = 100;
/** No question begins later in a run, so that a slow provider does not hold it past the next one. */
const runBudgetMs = 50 * secondMs;
/** A document is a page or two. */
const documentBytesMax = 20 * 1024 * 1024;
const failureMax = 500;
/** What providers call their invoices; more is no name. */
const nameShape = /^[\x20-\x7e]{0,64}$/;

/**
 * Asks the provider about everything that is due. When to ask next is noted before anybody is asked, so that a run that
 * dies costs a delay and nothing else.
 * @returns how many were asked about.
 */
export async function workDueInvoices(room: InvoiceRoom): Promise<number> {
  const startedAt = room.now();
  const due = await room.database.db
    .selectFrom('invoices')
    .select('id')
    .where('next_try_at', '<=', startedAt)
    .orderBy('next_try_at')
    .limit(perRunMax)
    .execute();
  let asked = 0;
  for (const { id } of due) {
    if (room.now() - startedAt >= runBudgetMs) break;
    try {
      if (await workInvoice(room, id)) asked += 1;
    } catch (error) {
      // One that cannot be asked about must not keep the others waiting.
      room.log.error({ err: error, invoiceId: id }, 'asking an invoice provider failed');
    }
  }
  return asked;
}

/**
 * Asks the provider for what an invoice's step wants, or about it where it was asked for before, and takes the answer.
 * What was asked for is asked for again only where the provider does not know it, and always under the same number: so
 * nothing is issued twice, wherever the server is killed.
 * @returns whether the provider was asked.
 */
export async function workInvoice(room: InvoiceRoom, id: InvoiceId): Promise<boolean> {
  const claimed = await claim(room, id);
  if (claimed === null) return false;
  const { row, wasAsked } = claimed;
  if (row.provider !== room.invoiceProvider.name) {
    room.log.warn({ invoice: row.number, provider: row.provider }, 'an invoice is open at a provider that is off');
    return false;
  }
  const found = await ask(room, row, wasAsked);
  await take(room, row, found);
  return true;
}

/** The invoice, if it is due and nobody else asks about it now. */
async function claim({ database: { db }, now }: InvoiceRoom, id: InvoiceId) {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('invoices')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    const at = now();
    if (row === undefined || !isAtProvider(row.step) || row.next_try_at === null || row.next_try_at > at) return null;
    await trx
      .updateTable('invoices')
      .set({ asked_at: row.asked_at ?? at, next_try_at: nextLookAt({ since: row.step_at, at }) })
      .where('id', '=', id)
      .execute();
    return { row, wasAsked: row.asked_at !== null };
  });
}

async function ask(room: InvoiceRoom, row: InvoiceRow, wasAsked: boolean): Promise<ProviderState> {
  const { invoiceProvider: provider } = room;
  const request = await issueRequestOf(room.database.db, row);
  const issued = issuedNameOf(row);
  const isVoiding = row.step === 'voiding' || row.step === 'voiding_person';
  const begin = () => {
    if (isVoiding) return provider.void(request, issued);
    return row.step === 'signing' ? provider.signAgain(request, issued) : provider.issue(request);
  };
  if (!wasAsked) return begin();
  const known = await provider.query(request, issued);
  // It was never heard of, or of its voiding was not.
  return known.outcome === 'absent' || (isVoiding && known.outcome === 'issued') ? begin() : known;
}

/** What an answer means for an invoice at its step; null where it changes nothing. */
function actOf(row: InvoiceRow, found: ProviderState): InvoiceAct | null {
  const isVoiding = row.step === 'voiding' || row.step === 'voiding_person';
  switch (found.outcome) {
    case 'unknown':
    case 'absent':
    case 'pending':
    case 'voiding':
      return null;
    case 'needs_person_step':
      return 'need_person';
    case 'signing':
      return isVoiding ? null : 'sign';
    case 'issued':
      return isVoiding ? null : 'issue';
    case 'refused':
      if (!isVoiding) return 'refuse';
      return row.issued_at === null ? 'keep_unsigned' : 'keep';
    case 'signing_refused':
      return isVoiding ? null : 'refuse_signing';
    case 'voided':
      return isVoiding ? 'end_void' : null;
  }
}

async function take(room: InvoiceRoom, row: InvoiceRow, found: ProviderState): Promise<void> {
  if (found.outcome === 'unknown') {
    room.log.warn({ invoice: row.number, detail: found.detail }, 'what became of an invoice is not known yet');
    await noteDoubt(room, row, found.doubt ?? 'no_answer');
    return;
  }
  const doubt = await doubtOf(room, row, found);
  if (doubt !== null) {
    room.log.error({ invoice: row.number, doubt, found }, 'an invoice provider gave a number that cannot be taken');
    await noteDoubt(room, row, doubt);
    return;
  }
  const act = actOf(row, found);
  if (act === null) {
    await noteDoubt(room, row, null);
    return;
  }
  const kept = found.outcome === 'issued' ? await keepDocument(room, { ...row, ...namesOf(found) }) : null;
  const at = room.now();
  const taken = await transact(room.database.db, async (trx) => {
    // A red letter and its invoice are locked in the order of their ids.
    const original = row.original_id === null ? undefined : await lockInvoice(trx, row.original_id);
    const now = await lockInvoice(trx, row.id);
    // Somebody else was told meanwhile.
    if (now === undefined || now.step !== row.step || now.request_number !== row.request_number) return ok([]);
    const text = 'text' in found ? (storableText(found.text) ?? '').slice(0, failureMax) : '';
    const set = {
      ...namesOf(found),
      ...(act === 'refuse' || act === 'refuse_signing' || act === 'keep' || act === 'keep_unsigned'
        ? { failure: text }
        : {}),
      ...(kept === null ? {} : { document_file_id: await insertDocument(trx, now, kept, at) }),
    };
    const moved = await moveInvoice(trx, now, act, at, { userId: null, text, set });
    if (moved === null) return ok([]);
    if (act === 'issue' && moved.email !== '' && moved.kind === 'blue') await beginDelivery(trx, moved, moved, at);
    if (act !== 'issue' || original === undefined) return ok([moved]);
    const ended = moved.is_part
      ? await endPart(trx, original, moved, at)
      : await moveInvoice(trx, original, 'end_red_letter', at, { userId: null, text: moved.number });
    return ok(ended === null ? [moved] : [moved, ended]);
  });
  if (!taken.ok) return;
  for (const { id, agent_id, state } of taken.value) publishInvoice(room, { id, agentId: agent_id, state });
}

/** The invoice stands for the rest, and asks for another red letter where more was refunded meanwhile. */
async function endPart(trx: Trx, original: InvoiceRow, red: InvoiceRow, at: Instant): Promise<InvoiceRow | null> {
  const refunded = await findRefundedParts(trx, original.id);
  return moveInvoice(trx, original, 'end_part', at, {
    userId: null,
    text: red.number,
    set: {
      reddened_electricity_fen: subtractFen(original.reddened_electricity_fen, red.electricity_fen),
      reddened_service_fen: subtractFen(original.reddened_service_fen, red.service_fen),
      attention: refunded.length > 0 ? 'red_letter_needed' : null,
    },
  });
}

/** Keeps with the invoice what nobody can say of it; null where the provider's answer was clear. */
async function noteDoubt(
  { database: { db } }: InvoiceRoom,
  row: InvoiceRow,
  doubt: InvoiceDoubt | null,
): Promise<void> {
  if (row.doubt === doubt) return;
  await db
    .updateTable('invoices')
    .set({ doubt })
    .where('id', '=', row.id)
    .where('step', '=', row.step)
    .where('request_number', '=', row.request_number)
    .execute();
}

/** Why the names of an answer cannot be an invoice's; null where they can. */
async function doubtOf(
  { database: { db } }: InvoiceRoom,
  row: InvoiceRow,
  found: ProviderState,
): Promise<InvoiceDoubt | null> {
  const { provider_serial, invoice_code, invoice_number } = namesOf(found);
  const names = [provider_serial, invoice_code, invoice_number].filter((name) => name != null);
  if (!names.every((name) => nameShape.test(name))) return 'bad_number';
  if (invoice_number == null) return null;
  const other = await db
    .selectFrom('invoices')
    .select('id')
    .where('provider', '=', row.provider)
    .where('invoice_number', '=', invoice_number)
    .where(sql`coalesce(invoice_code, '')`, '=', invoice_code ?? '')
    .where('id', '!=', row.id)
    .executeTakeFirst();
  return other === undefined ? null : 'number_taken';
}

/** What an answer says an invoice is called. */
function namesOf(
  found: ProviderState,
): Partial<Pick<InvoiceRow, 'provider_serial' | 'invoice_code' | 'invoice_number' | 'issued_at'>> {
  if (found.outcome === 'issued') {
    return {
      provider_serial: found.serial,
      invoice_code: found.code,
      invoice_number: found.invoiceNumber,
      issued_at: found.issuedAt,
    };
  }
  const hasNumber =
    (found.outcome === 'signing' || found.outcome === 'signing_refused') && found.invoiceNumber !== null;
  return hasNumber ? { invoice_number: found.invoiceNumber } : {};
}

/** Stores the document, before its invoice says that it is issued. Without its row it is swept away after a day. */
export async function keepDocument(room: InvoiceRoom, row: InvoiceRow): Promise<KeptBytes | null> {
  const request = await issueRequestOf(room.database.db, row);
  const bytes = await room.invoiceProvider.document(request, issuedNameOf(row));
  if (bytes === null) return null;
  const kept = await room.files.put(Readable.from([bytes]), { bytesMax: documentBytesMax });
  if (kept.ok) return kept.value;
  room.log.error({ invoice: row.number }, 'the document of an invoice is too large to be kept');
  return null;
}

export async function insertDocument(
  trx: Trx,
  row: Pick<InvoiceRow, 'number' | 'agent_id'>,
  kept: KeptBytes,
  at: Instant,
): Promise<FileId> {
  const { id } = await trx
    .insertInto('files')
    .values({
      key: kept.key,
      name: `${row.number}.pdf`,
      content_type: 'application/pdf',
      size_bytes: kept.sizeBytes,
      sha256: kept.sha256,
      purpose: 'invoice',
      public: false,
      agent_id: row.agent_id,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The stored document of an issued invoice. One that the provider did not have yet when it issued is fetched now.
 */
export async function findDocument(room: InvoiceRoom, row: InvoiceRow): Promise<{ key: string; name: string } | null> {
  const stored = await storedDocument(room.database.db, row);
  if (stored !== null) return stored;
  if (row.issued_at === null || row.provider !== room.invoiceProvider.name) return null;
  const kept = await keepDocument(room, row);
  if (kept === null) return null;
  await transact(room.database.db, async (trx) => {
    const now = await lockInvoice(trx, row.id);
    if (now === undefined || now.document_file_id !== null) return ok(null);
    const fileId = await insertDocument(trx, now, kept, room.now());
    await trx.updateTable('invoices').set({ document_file_id: fileId }).where('id', '=', row.id).execute();
    return ok(null);
  });
  const now = await room.database.db.selectFrom('invoices').selectAll().where('id', '=', row.id).executeTakeFirst();
  return now === undefined ? null : storedDocument(room.database.db, now);
}

async function storedDocument(db: Kysely<Tables>, { document_file_id }: InvoiceRow) {
  if (document_file_id === null) return null;
  const file = await db
    .selectFrom('files')
    .select(['key', 'name'])
    .where('id', '=', document_file_id)
    .executeTakeFirst();
  return file ?? null;
}
