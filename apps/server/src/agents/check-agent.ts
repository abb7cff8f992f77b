import type { changeAgent } from '@voltdeck/contract/agents';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { FileId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { lackedOf, mayChangeFor, noPayout, type Payout, payoutAfter } from '../ledger/payout-account.ts';

type Form = BodyOf<typeof changeAgent>;
type Before = Payout & { licence_file_id: FileId | null };

/**
 * Checks what the schema cannot: a whole payout account, and a licence that the caller may use. One company may be
 * several agents, so a credit code is nobody's alone, and nobody learns who else has it.
 */
export async function checkAgent(
  trx: Trx,
  caller: Caller,
  form: Form,
  before: Before | null,
): Promise<Result<Payout, ApiError>> {
  const kept = before ?? noPayout;
  const payout = payoutAfter(form, kept);
  if (!mayChangeFor(caller, kept, payout)) return failed({ code: 'payout_account.already_set' });
  const fields: FieldFault[] = lackedOf(payout).map((path) => ({ path, code: 'required' }));
  if (!(await isUsableLicence(trx, caller, form.licenceFileId, before))) {
    fields.push({ path: 'licenceFileId', code: 'unknown_reference' });
  }
  return fields.length === 0 ? ok(payout) : failed({ code: 'request.invalid', fields });
}

/** Locked against deletion until the commit. */
async function isUsableLicence(
  trx: Trx,
  caller: Caller,
  id: FileId | null | undefined,
  before: Before | null,
): Promise<boolean> {
  if (id === undefined || id === null || id === before?.licence_file_id) return true;
  const file = await trx
    .selectFrom('files')
    .select('agent_id')
    .where('id', '=', id)
    .where('purpose', '=', 'licence')
    .forKeyShare()
    .executeTakeFirst();
  return file !== undefined && isInScope(caller, file.agent_id);
}
