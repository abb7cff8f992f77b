import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

/** Removes a number from the list of unknown stations. It reappears when it tries again. */
export async function deleteUnknownStation(
  trx: Trx,
  caller: Caller,
  id: Id<'unknown-station'>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'record.not_found' });
  const gone = await trx
    .deleteFrom('unknown_stations')
    .where('id', '=', id as unknown as Id<'unknown_station'>)
    .returning(['number', 'protocol', 'remote_address as remoteAddress', 'attempts'])
    .executeTakeFirst();
  if (gone === undefined) return failed({ code: 'record.not_found' });
  await audit(trx, caller, at, {
    action: 'unknown_station.delete',
    recordKind: 'unknown_station',
    recordId: id,
    before: gone,
  });
  return ok(null);
}
