import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createVehicle as route, Vehicle } from '@voltdeck/contract/vehicles';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findVehicle } from './vehicle-queries.ts';

/** Lets a vehicle charge on one of the caller's cards. A vehicle has one card. */
export async function createVehicle(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Vehicle, ApiError>> {
  const cardNumber = form.cardNumber.toUpperCase();
  const card = await scoped(trx.selectFrom('cards'), caller, 'agent_id')
    .select('id')
    .where((eb) => eb.or([eb('number', '=', cardNumber), eb('physical_number', '=', cardNumber)]))
    .orderBy((eb) => eb('number', '=', cardNumber), 'desc')
    .limit(1)
    .executeTakeFirst();
  if (card === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'cardNumber', code: 'unknown_reference' }] });
  }
  const plate = form.plate?.toUpperCase() ?? null;
  const created = await trx
    .insertInto('vehicles')
    .values({ vin: form.vin, card_id: card.id, plate, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return failed({ code: 'request.invalid', fields: [{ path: 'vin', code: 'taken' }] });
  await audit(trx, caller, at, {
    action: 'vehicle.create',
    recordKind: 'vehicle',
    recordId: created.id,
    after: { vin: form.vin, plate, cardNumber },
  });
  return found(await findVehicle(trx, caller, created.id));
}
