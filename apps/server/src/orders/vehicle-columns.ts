import { sql, type Updateable } from 'kysely';
import type { OrdersTable } from '../database/tables.generated.ts';

type Columns = Pick<Updateable<OrdersTable>, 'vin' | 'plate'>;

/** A vehicle's columns in a new order: its number, and the plate it is registered with now. */
export function vehicleColumns(vin: string): Columns {
  return { vin, plate: sql`(select v.plate from vehicles v where v.vin = ${vin})` as never };
}

/**
 * The same in an order that may have them already: the vehicle that was recognised stays whatever its record says, and
 * the plate whatever becomes of the vehicle.
 */
export function vehicleColumnsKept(vin: string): Columns {
  const plate = sql`(select v.plate from vehicles v where v.vin = ${vin})`;
  return {
    vin: sql`coalesce(vin, ${vin})` as never,
    plate: sql`coalesce(plate, case when coalesce(vin, ${vin}) = ${vin} then ${plate} end)` as never,
  };
}
