import type { ApiError } from '@voltdeck/contract/errors';
import type { Station } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findStation } from './queries.ts';

/** Enables or disables a station. A disabled one starts no new charge; a running one ends by itself. */
export async function enableStation(
  trx: Trx,
  caller: Caller,
  id: StationId,
  enabled: boolean,
  at: Instant,
): Promise<Result<Station, ApiError>> {
  await trx.selectFrom('stations').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const before = await findStation(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  if (before.enabled === enabled) return ok(before);
  await trx.updateTable('stations').set({ enabled }).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: enabled ? 'station.enable' : 'station.disable',
    recordKind: 'station',
    recordId: id,
    before: { enabled: before.enabled },
    after: { enabled },
  });
  return found(await findStation(trx, caller, id));
}
