import type { OrderId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';

/** A vehicle's number as a station told it, in capitals; null when it is none. Short ones occur on older vehicles. */
export function soundVin(told: unknown): string | null {
  if (typeof told !== 'string') return null;
  const vin = told.trim().toUpperCase();
  return /^[A-Z0-9]{5,17}$/.test(vin) ? vin : null;
}

/**
 * Notes which vehicle charges, beside the flow of messages: the record at the end has it again where the database is
 * away now.
 */
export function noteVehicle(context: Context, orderId: OrderId, told: unknown): void {
  const vin = soundVin(told);
  if (vin === null) return;
  context.database.db
    .updateTable('orders')
    .set({ vin })
    .where('id', '=', orderId)
    .where('vin', 'is', null)
    .execute()
    .catch((error: unknown) => {
      const away = isDatabaseAway(error);
      context.log.warn({ error: String(error), order: orderId, away }, 'orders: a vehicle could not be noted');
    });
}
