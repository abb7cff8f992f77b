import { sql, type Updateable } from 'kysely';
import type { OrdersTable } from '../database/tables.generated.ts';

type Columns = Pick<Updateable<OrdersTable>, 'vin' | 'plate'>;

/** A vehicle's columns in a new order: its number, and the plate it is registered with now. */
export function vehicleColumns(vin: string): Columns {
  return { vin, plate: sql`(select v.plate from vehicles v where v.vin = ${vin})` as never };
}

/** The same in an order that may have them already: the plate stays whatever becomes of the vehicle. */
export function vehicleColumnsKept(vin: string): Columns {
  return { vin, plate: sql`coalesce(plate, (select v.plate from vehicles v where v.vin = ${vin}))` as never };
}
