import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { ApiError } from '@voltdeck/contract/errors';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { findStation } from './queries.ts';
import { hashStationPassword, newStationPassword } from './station-password.ts';

/** Gives a station a new password. An open connection stays; the old password is refused at the next one. */
export async function renewStationPassword(
  trx: Trx,
  caller: Caller,
  id: StationId,
  at: Instant,
): Promise<Result<{ password: string }, ApiError>> {
  await trx.selectFrom('stations').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const station = await findStation(trx, caller, id);
  if (station === null) return failed({ code: 'record.not_found' });
  if (!protocolTraits[station.protocol].hasPassword) return failed({ code: 'station.no_password' });
  const password = newStationPassword();
  await trx
    .updateTable('stations')
    .set({ password_hash: hashStationPassword(password) })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'station.password_renew', recordKind: 'station', recordId: id });
  return ok({ password });
}
