import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { CardId, CustomerId, Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedByCardsOrOwn } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import type { RateLimit } from '../http/rate-limit.ts';

/** One request at a time takes a VIN or a plate, so that the second finds it taken; vehicles are changed by hand. */
export async function lockVehicles(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('vehicles', 0))`.execute(trx);
}

/**
 * Taken plates and VINs a day that one user outside the platform may learn of: enough for mistakes, too few to search a
 * list.
 */
export const takenVehiclesPerDayMax = 20;

/**
 * Counts the VINs and plates that a user outside the platform learned to be taken. Asked under `lockVehicles`, so that
 * requests at the same moment are counted one after the other.
 */
export function countTaken(taken: RateLimit, caller: Caller, at: Instant) {
  const asker = caller.agents === 'all' ? null : String(caller.userId);
  return {
    /** Null while the caller may still learn of some. */
    refusal(): ApiError | null {
      const seconds = asker === null ? 0 : taken.secondsLeft(asker, at);
      return seconds > 0 ? { code: 'request.too_many', params: { seconds } } : null;
    },
    add(faults: readonly FieldFault[]): void {
      if (asker === null) return;
      for (const _ of faults) taken.secondsToWait(asker, at);
    },
  };
}

/** The caller's card with this printed or physical number. */
export async function cardNumbered(trx: Trx, caller: Caller, given: string): Promise<Result<CardId, FieldFault>> {
  const number = given.toUpperCase();
  const card = await scoped(trx.selectFrom('cards'), caller, 'agent_id')
    .select('id')
    .where((eb) => eb.or([eb('number', '=', number), eb('physical_number', '=', number)]))
    .orderBy((eb) => eb('number', '=', number), 'desc')
    .limit(1)
    .executeTakeFirst();
  return card === undefined ? failed({ path: 'cardNumber', code: 'unknown_reference' }) : ok(card.id);
}

/** The registered user with this phone, among those whom the caller may see. */
export async function ownerWithPhone(trx: Trx, caller: Caller, phone: string): Promise<Result<CustomerId, FieldFault>> {
  const owner = await scopedByCardsOrOwn(trx.selectFrom('customers'), caller, 'customers.id')
    .select('customers.id')
    .where('customers.phone', '=', phone)
    .executeTakeFirst();
  return owner === undefined ? failed({ path: 'ownerPhone', code: 'unknown_reference' }) : ok(owner.id as CustomerId);
}

/** Which of the two another vehicle already has. */
export async function takenBy(
  trx: Trx,
  vehicle: { vin: string; plate: string | null },
  except: Id<'vehicle'> | null,
): Promise<FieldFault[]> {
  const others = await trx
    .selectFrom('vehicles')
    .select(['id', 'vin', 'plate'])
    .where((eb) => eb.or([eb('vin', '=', vehicle.vin), eb('plate', '=', vehicle.plate)]))
    .execute();
  const foreign = others.filter(({ id }) => id !== except);
  return [
    ...(foreign.some(({ vin }) => vin === vehicle.vin) ? [{ path: 'vin', code: 'taken' } as const] : []),
    ...(foreign.some(({ plate }) => plate !== null && plate === vehicle.plate)
      ? [{ path: 'plate', code: 'taken' } as const]
      : []),
  ];
}
