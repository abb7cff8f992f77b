import type { ApiError } from '@voltdeck/contract/errors';
import { type OwnVehicle, type addOwnVehicle as route, vehiclesMax } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Id } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { lockVehicles, takenBy } from '../vehicles/check-vehicle.ts';

function ownVehicles(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(
    db.selectFrom('vehicles').innerJoin('cards', 'cards.id', 'vehicles.card_id'),
    caller,
    'cards.customer_id',
  ).select(['vehicles.id', 'vin', 'plate', 'usage', 'card_id as cardId', 'vehicles.created_at as createdAt']);
}

type VehicleRow = Omit<OwnVehicle, 'createdAt'> & { createdAt: Instant };

const toOwnVehicle = ({ createdAt, ...vehicle }: VehicleRow): OwnVehicle => ({
  ...vehicle,
  createdAt: toIso(createdAt),
});

export async function findOwnVehicles(db: Kysely<Tables>, caller: CustomerCaller): Promise<OwnVehicle[]> {
  const rows = await ownVehicles(db, caller).orderBy('vehicles.id').limit(100).execute();
  return rows.map((row) => toOwnVehicle(row as VehicleRow));
}

/**
 * Lets a vehicle charge on one of the customer's cards. A vehicle has one card on the whole platform, so a customer
 * learns that it is taken; `taken` counts how often.
 */
export async function addOwnVehicle(
  trx: Trx,
  taken: RateLimit,
  caller: CustomerCaller,
  { cardId, ...form }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<OwnVehicle, ApiError>> {
  await lockVehicles(trx);
  const seconds = taken.secondsLeft(String(caller.customerId), at);
  if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
  const card = await ofCustomer(trx.selectFrom('cards'), caller, 'cards.customer_id')
    .select('state')
    .where('id', '=', cardId)
    .forKeyShare()
    .executeTakeFirst();
  if (card?.state !== 'active') {
    return failed({ code: 'request.invalid', fields: [{ path: 'cardId', code: 'unknown_reference' }] });
  }
  const own = await ownVehicles(trx, caller).limit(vehiclesMax).execute();
  if (own.length >= vehiclesMax) return failed({ code: 'my.too_many_vehicles', params: { max: vehiclesMax } });
  const vehicle = { vin: form.vin, plate: form.plate ?? null };
  const faults = await takenBy(trx, vehicle, null);
  if (faults.length > 0) {
    for (const _ of faults) taken.secondsToWait(String(caller.customerId), at);
    return failed({ code: 'request.invalid', fields: faults });
  }
  const { id } = await trx
    .insertInto('vehicles')
    .values({ ...vehicle, usage: form.usage, card_id: cardId, owner_id: caller.customerId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, {
    action: 'vehicle.create',
    recordKind: 'vehicle',
    recordId: id,
    after: { ...vehicle, usage: form.usage, cardId, customerId: caller.customerId },
  });
  const made = await ownVehicles(trx, caller).where('vehicles.id', '=', id).executeTakeFirstOrThrow();
  return ok(toOwnVehicle(made as VehicleRow));
}

/** Its running charge continues, since the order knows who pays. */
export async function deleteOwnVehicle(
  trx: Trx,
  caller: CustomerCaller,
  id: Id<'vehicle'>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const vehicle = await ownVehicles(trx, caller).where('vehicles.id', '=', id).forUpdate('vehicles').executeTakeFirst();
  if (vehicle === undefined) return failed({ code: 'record.not_found' });
  await trx.deleteFrom('vehicles').where('id', '=', id).execute();
  const { vin, plate, cardId } = vehicle;
  await audit(trx, caller, at, {
    action: 'vehicle.delete',
    recordKind: 'vehicle',
    recordId: id,
    before: { vin, plate, cardId, customerId: caller.customerId },
  });
  return ok(null);
}
