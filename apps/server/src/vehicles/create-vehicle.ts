import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createVehicle as route, Vehicle } from '@voltdeck/contract/vehicles';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { cardNumbered, countTaken, lockVehicles, ownerWithPhone, takenBy } from './check-vehicle.ts';
import { findVehicle } from './queries.ts';

/**
 * Lets a vehicle charge on one of the caller's cards. A vehicle has one card on the whole platform, so an agent learns
 * that it is taken even though it may not see it; `taken` counts how often.
 */
export async function createVehicle(
  trx: Trx,
  taken: RateLimit,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Vehicle, ApiError>> {
  await lockVehicles(trx);
  const learned = countTaken(taken, caller, at);
  const refusal = learned.refusal();
  if (refusal !== null) return failed(refusal);
  const { vin, usage } = form;
  const plate = form.plate ?? null;
  const card = await cardNumbered(trx, caller, form.cardNumber);
  if (!card.ok) return failed({ code: 'request.invalid', fields: [card.error] });
  const owner =
    form.ownerPhone === undefined || form.ownerPhone === null
      ? null
      : await ownerWithPhone(trx, caller, form.ownerPhone);
  if (owner?.ok === false) return failed({ code: 'request.invalid', fields: [owner.error] });
  const created = await trx
    .insertInto('vehicles')
    .values({ vin, plate, usage, card_id: card.value, owner_id: owner?.value ?? null, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) {
    const fields = await takenBy(trx, { vin, plate }, null);
    learned.add(fields);
    return failed({ code: 'request.invalid', fields });
  }
  const vehicle = await findVehicle(trx, caller, created.id);
  await audit(trx, caller, at, {
    action: 'vehicle.create',
    recordKind: 'vehicle',
    recordId: created.id,
    after: { vin, plate, usage, cardNumber: form.cardNumber.toUpperCase(), ownerPhone: form.ownerPhone ?? null },
  });
  return found(vehicle);
}
