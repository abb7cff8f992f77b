import type { ApiError } from '@voltdeck/contract/errors';
import type { AdvertId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { findAdvert } from './queries.ts';

/** Its picture stays among the files, where it can be deleted from then on. */
export async function deleteAdvert(
  trx: Trx,
  caller: Caller,
  id: AdvertId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const before = await findAdvert(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  await trx.deleteFrom('adverts').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'advert.delete', recordKind: 'advert', recordId: id, before });
  return ok(null);
}
