import type { ApiError } from '@voltdeck/contract/errors';
import type { ConfigId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { audited } from './audited-config.ts';

/** Deletes a parameter that the server does not read itself. */
export async function deleteConfig(
  trx: Trx,
  caller: Caller,
  id: ConfigId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const deleted = await trx
    .deleteFrom('configs')
    .where('id', '=', id)
    .where('built_in', '=', false)
    .returning(['name', 'key', 'value', 'sealed', 'remark', 'public', 'secret'])
    .executeTakeFirst();
  if (deleted === undefined) {
    const isThere = await trx.selectFrom('configs').select('id').where('id', '=', id).executeTakeFirst();
    return failed({ code: isThere === undefined ? 'record.not_found' : 'config.built_in' });
  }
  const { sealed, ...shown } = deleted;
  const before = audited({ ...shown, value: sealed === null ? shown.value : 'sealed' });
  await audit(trx, caller, at, { action: 'config.delete', recordKind: 'config', recordId: id, before });
  return ok(null);
}
