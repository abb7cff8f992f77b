import type { ApiError } from '@voltdeck/contract/errors';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { findStation } from './queries.ts';
import { areConnectorsUsed } from './used-connectors.ts';

/** Deletes a disconnected station that never had an order, and whose gun ports never had one elsewhere. */
export async function deleteStation(
  trx: Trx,
  caller: Caller,
  id: StationId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  await trx.selectFrom('stations').select('id').where('id', '=', id).forUpdate().execute();
  const before = await findStation(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const order = await trx.selectFrom('orders').select('id').where('station_id', '=', id).limit(1).executeTakeFirst();
  const ports = await trx.selectFrom('connectors').select('id').where('station_id', '=', id).execute();
  const isUsed =
    order !== undefined ||
    (await areConnectorsUsed(
      trx,
      ports.map((port) => port.id),
    ));
  if (before.online || isUsed) return failed({ code: 'station.in_use' });
  await trx.deleteFrom('stations').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'station.delete', recordKind: 'station', recordId: id, before });
  return ok(null);
}
