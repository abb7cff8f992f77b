import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { changeVehicle as route, Vehicle } from '@voltdeck/contract/vehicles';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import type { Updateable } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { VehiclesTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { cardNumbered, countTaken, lockVehicles, ownerWithPhone, takenBy } from './check-vehicle.ts';
import { auditedVehicle, findVehicle } from './queries.ts';

/** Changes a vehicle. Charges that run keep their payer, and ended orders the plate that they had. */
export async function changeVehicle(
  trx: Trx,
  takenVehicles: RateLimit,
  caller: Caller,
  id: Id<'vehicle'>,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Vehicle, ApiError>> {
  await lockVehicles(trx);
  const learned = countTaken(takenVehicles, caller, at);
  const refusal = form.vin === undefined && form.plate === undefined ? null : learned.refusal();
  if (refusal !== null) return failed(refusal);
  const locked = await trx.selectFrom('vehicles').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  const before = locked === undefined ? null : await findVehicle(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const faults: FieldFault[] = [];
  const set: Updateable<VehiclesTable> = {};
  if (form.vin !== undefined) set.vin = form.vin;
  if (form.plate !== undefined) set.plate = form.plate;
  if (form.usage !== undefined) set.usage = form.usage;
  if (form.cardNumber !== undefined) {
    const card = await cardNumbered(trx, caller, form.cardNumber);
    if (card.ok) set.card_id = card.value;
    else faults.push(card.error);
  }
  if (form.ownerPhone === null) set.owner_id = null;
  else if (form.ownerPhone !== undefined) {
    const owner = await ownerWithPhone(trx, caller, form.ownerPhone);
    if (owner.ok) set.owner_id = owner.value;
    else faults.push(owner.error);
  }
  const taken = await takenBy(
    trx,
    { vin: set.vin ?? before.vin, plate: set.plate === undefined ? before.plate : set.plate },
    id,
  );
  learned.add(taken);
  faults.push(...taken);
  if (faults.length > 0) return failed({ code: 'request.invalid', fields: faults });
  if (Object.keys(set).length > 0) await trx.updateTable('vehicles').set(set).where('id', '=', id).execute();
  const after = await findVehicle(trx, caller, id);
  if (after !== null) {
    await audit(trx, caller, at, {
      action: 'vehicle.change',
      recordKind: 'vehicle',
      recordId: id,
      before: auditedVehicle(before),
      after: auditedVehicle(after),
    });
  }
  return found(after);
}
