import { tidyPlate } from '@voltdeck/charging/plate';
import { tidyVin } from '@voltdeck/charging/vin';
import { listVehicles, type Vehicle } from '@voltdeck/contract/vehicles';
import type { Id } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

function vehiclesWithCards(db: Kysely<Tables>) {
  return db
    .selectFrom('vehicles')
    .innerJoin('cards', 'cards.id', 'vehicles.card_id')
    .leftJoin('customers as owners', 'owners.id', 'vehicles.owner_id');
}

/** What the audit log keeps of a vehicle. */
export function auditedVehicle({ vin, plate, usage, cardNumber, ownerPhone }: Vehicle) {
  return { vin, plate, usage, cardNumber, ownerPhone };
}

/** A vehicle has the scope of its card. */
function ownVehicles(db: Kysely<Tables>, caller: Caller) {
  return scoped(vehiclesWithCards(db), caller, 'cards.agent_id', 'cards.customer_id');
}

const columns = [
  'vehicles.id',
  'vehicles.vin',
  'vehicles.plate',
  'vehicles.usage',
  'owners.nickname as ownerName',
  'owners.phone as ownerPhone',
  'vehicles.card_id as cardId',
  'cards.number as cardNumber',
  'cards.customer_id as customerId',
  'vehicles.created_at as createdAt',
] as const;

function toVehicle<Row extends { usage: string; createdAt: Instant }>(row: Row) {
  return { ...row, usage: row.usage as Vehicle['usage'], createdAt: toIso(row.createdAt) };
}

export async function findVehicle(db: Kysely<Tables>, caller: Caller, id: Id<'vehicle'>): Promise<Vehicle | null> {
  const row = await ownVehicles(db, caller).select(columns).where('vehicles.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toVehicle(row);
}

export const vehicleList = listSource({
  route: listVehicles,
  filtered(db, caller, filter) {
    let vehicles = ownVehicles(db, caller);
    if (filter.vin !== undefined) {
      vehicles = vehicles.where(findsPersonal(caller, 'vehicles.vin', tidyVin(filter.vin)));
    }
    if (filter.plate !== undefined) {
      vehicles = vehicles.where(findsPersonal(caller, 'vehicles.plate', tidyPlate(filter.plate)));
    }
    if (filter.customerId !== undefined) vehicles = vehicles.where('cards.customer_id', '=', filter.customerId);
    if (filter.usage !== undefined) vehicles = vehicles.where('vehicles.usage', 'in', filter.usage);
    if (filter.ownerPhone !== undefined) {
      vehicles = vehicles.where(findsPersonal(caller, 'owners.phone', filter.ownerPhone));
    }
    if (filter.cardNumber !== undefined) {
      // The printed or the physical number.
      const cardNumber = filter.cardNumber.toUpperCase();
      vehicles = vehicles.where((eb) =>
        eb.or([eb('cards.number', '=', cardNumber), eb('cards.physical_number', '=', cardNumber)]),
      );
    }
    return vehicles;
  },
  id: sql`vehicles.id`,
  sorts: { createdAt: sql`vehicles.created_at` },
  rows: (db) => vehiclesWithCards(db).select(columns),
  toItem: toVehicle,
});
