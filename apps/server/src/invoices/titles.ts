import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { type InvoiceTitle, invoiceTitlesMax, type titleBody } from '@voltdeck/contract/invoices';
import type { CustomerId, InvoiceTitleId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

export type TitleForm = Omit<z.output<typeof titleBody>, 'isDefault'>;

/** A company is known by its tax number. */
export function titleFaults({ titleKind, taxNumber = '' }: Pick<TitleForm, 'titleKind' | 'taxNumber'>): FieldFault[] {
  return titleKind === 'company' && taxNumber === '' ? [{ path: 'taxNumber', code: 'required' }] : [];
}

/** A registered user's titles, the default one first. */
export async function findTitles(db: Kysely<Tables>, customerId: CustomerId): Promise<InvoiceTitle[]> {
  return db
    .selectFrom('invoice_titles')
    .select(['id', 'title_kind as titleKind', 'title', 'tax_number as taxNumber', 'address', 'phone', 'bank', 'email'])
    .select(['bank_account as bankAccount', 'is_default as isDefault'])
    .where('customer_id', '=', customerId)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute();
}

/** Adds a title; a default one takes the place of the default before. */
export async function addTitle(
  trx: Trx,
  customerId: CustomerId,
  form: z.output<typeof titleBody>,
  at: Instant,
): Promise<Result<InvoiceTitleId, ApiError>> {
  const faults = titleFaults(form);
  if (faults.length > 0) return failed({ code: 'request.invalid', fields: faults });
  // Two at once would both be the default, or one too many.
  await trx.selectFrom('customers').select('id').where('id', '=', customerId).forNoKeyUpdate().executeTakeFirst();
  const { count } = await trx
    .selectFrom('invoice_titles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (count >= invoiceTitlesMax) return failed({ code: 'my.too_many_titles', params: { max: invoiceTitlesMax } });
  const isDefault = form.isDefault === true || count === 0;
  if (isDefault) await clearDefault(trx, customerId);
  const { id } = await trx
    .insertInto('invoice_titles')
    .values({ customer_id: customerId, ...columnsOfTitle(form), is_default: isDefault, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return ok(id);
}

export async function clearDefault(trx: Trx, customerId: CustomerId): Promise<void> {
  await trx
    .updateTable('invoice_titles')
    .set({ is_default: false })
    .where('customer_id', '=', customerId)
    .where('is_default', '=', true)
    .execute();
}

export function columnsOfTitle(form: TitleForm) {
  return {
    title_kind: form.titleKind,
    title: form.title,
    tax_number: form.taxNumber ?? '',
    address: form.address ?? '',
    phone: form.phone ?? '',
    bank: form.bank ?? '',
    bank_account: form.bankAccount ?? '',
    email: form.email ?? '',
  };
}
