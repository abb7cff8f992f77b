import type { ApiError } from '@voltdeck/contract/errors';
import { stepAfter } from '@voltdeck/invoices/transitions';
import type { InvoiceId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { type InvoiceRow, moveInvoice } from './move-invoice.ts';
import { lockScopedInvoice, notOpen } from './scoped-invoice.ts';

/** A person has done what the provider waited for: it is asked again at once, under the same number. */
export async function resumeInvoice(
  trx: Trx,
  caller: Caller,
  id: InvoiceId,
  at: Instant,
): Promise<Result<InvoiceRow, ApiError>> {
  const locked = await lockScopedInvoice(trx, caller, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  if (stepAfter(row.kind, row.step, 'resume') === null) return failed(notOpen('invoice.no_step', row));
  const moved = await moveInvoice(trx, row, 'resume', at, { userId: caller.userId });
  if (moved === null) return failed(notOpen('invoice.no_step', row));
  await audit(trx, caller, at, { action: 'invoice.resume', recordKind: 'invoice', recordId: id });
  return ok(moved);
}
