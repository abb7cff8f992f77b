import type { ApiError } from '@voltdeck/contract/errors';
import type { InvoiceId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { type InvoiceRow, lockInvoice } from './move-invoice.ts';

/** The invoice that a caller acts on, locked until the transaction ends. */
export async function lockScopedInvoice(
  trx: Trx,
  caller: Caller,
  id: InvoiceId,
): Promise<Result<InvoiceRow, ApiError>> {
  const row = await lockInvoice(trx, id);
  return row === undefined || !isInScope(caller, row.agent_id) ? failed({ code: 'record.not_found' }) : ok(row);
}

/** Says which invoice an act is not open for, and where it stands. */
export function notOpen(
  code:
    | 'invoice.not_waiting'
    | 'invoice.not_voidable'
    | 'invoice.not_failed'
    | 'invoice.not_invoiced'
    | 'invoice.no_step',
  { number, state }: Pick<InvoiceRow, 'number' | 'state'>,
): ApiError {
  return { code, params: { number }, words: { state: `invoice-state.${state}` } };
}
