import type { QueryOf } from '@voltdeck/contract/route';
import type { listVehicles, Vehicle } from '@voltdeck/contract/vehicles';
import type { Id } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

/** A vehicle is whose its card is. */
function vehicleRows(db: Kysely<Tables>, caller: Caller) {
  const vehicles = db.selectFrom('vehicles').innerJoin('cards', 'cards.id', 'vehicles.card_id');
  return scoped(vehicles, caller, 'cards.agent_id', 'cards.customer_id');
}

const columns = [
  'vehicles.id',
  'vehicles.vin',
  'vehicles.plate',
  'vehicles.card_id as cardId',
  'cards.number as cardNumber',
  'cards.customer_id as customerId',
  'vehicles.created_at as createdAt',
] as const;

function toVehicle<Row extends { createdAt: Instant }>(row: Row) {
  return { ...row, createdAt: toIso(row.createdAt) };
}

export async function findVehicle(db: Kysely<Tables>, caller: Caller, id: Id<'vehicle'>): Promise<Vehicle | null> {
  const row = await vehicleRows(db, caller).select(columns).where('vehicles.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toVehicle(row);
}

/** `cardNumber` finds the printed and the physical one. */
export async function listVehiclePage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listVehicles>,
  span: Span,
) {
  let filtered = vehicleRows(db, caller);
  if (filter.vin !== undefined) filtered = filtered.where('vehicles.vin', 'like', containing(filter.vin.toUpperCase()));
  if (filter.plate !== undefined) {
    filtered = filtered.where('vehicles.plate', 'like', containing(filter.plate.toUpperCase()));
  }
  if (filter.cardNumber !== undefined) {
    const cardNumber = filter.cardNumber.toUpperCase();
    filtered = filtered.where((eb) =>
      eb.or([eb('cards.number', '=', cardNumber), eb('cards.physical_number', '=', cardNumber)]),
    );
  }
  const { direction } = sortOf(filter.sort ?? '-createdAt');
  const [rows, total] = await Promise.all([
    filtered
      .select(columns)
      .orderBy('vehicles.created_at', direction)
      .orderBy('vehicles.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toVehicle), ...total };
}
