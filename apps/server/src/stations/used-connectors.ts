import type { ConnectorId } from '@voltdeck/units/id';
import type { Trx } from '../database/transact.ts';

/** Whether any of these gun ports has an order, at its station or at one that it was moved from. */
export async function areConnectorsUsed(trx: Trx, ids: readonly ConnectorId[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const used = await trx.selectFrom('orders').select('id').where('connector_id', 'in', ids).limit(1).executeTakeFirst();
  return used !== undefined;
}
