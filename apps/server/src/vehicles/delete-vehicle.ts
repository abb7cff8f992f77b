import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { auditedVehicle, findVehicle } from './queries.ts';

/** Its running charge continues, since the order knows who pays. */
export async function deleteVehicle(
  trx: Trx,
  caller: Caller,
  id: Id<'vehicle'>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  await trx.selectFrom('vehicles').select('id').where('id', '=', id).forUpdate().execute();
  const vehicle = await findVehicle(trx, caller, id);
  if (vehicle === null) return failed({ code: 'record.not_found' });
  await trx.deleteFrom('vehicles').where('id', '=', id).execute();
  const before = auditedVehicle(vehicle);
  await audit(trx, caller, at, { action: 'vehicle.delete', recordKind: 'vehicle', recordId: id, before });
  return ok(null);
}
