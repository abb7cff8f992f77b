import { soundVin } from '@voltdeck/charging/sound-vin';
import { isNamed, type TransactionReference } from '@voltdeck/charging/transaction';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { vehicleColumns } from '../orders/vehicle-columns.ts';
import type { StationSession } from './station-session.ts';
import { orderOfReadings } from './take-readings.ts';

/**
 * Notes which vehicle charges, outside the flow of messages; if the database is away now, the record at the end has it
 * again. A vehicle may introduce itself before its charge is reported to have begun.
 */
export function noteVehicle(
  context: Context,
  session: StationSession,
  event: { connectorNumber: number; transaction?: TransactionReference },
  told: unknown,
): void {
  const vin = soundVin(told);
  if (vin === null) return;
  const { transaction } = event;
  let orders = context.database.db.updateTable('orders').set(vehicleColumns(vin)).where('vin', 'is', null);
  if (typeof transaction === 'string' && isNamed(transaction)) {
    orders = orders
      .where('station_id', '=', session.stationId)
      .where('transaction_key', '=', transaction)
      .where('state', '<>', 'cancelled');
  } else {
    const running = orderOfReadings(session, event);
    if (running === null) return;
    orders = orders.where('id', '=', running.id);
  }
  orders.execute().catch((error: unknown) => {
    const away = isDatabaseAway(error);
    context.log.warn({ error: String(error), transaction, away }, 'orders: noting a vehicle failed');
  });
}
