import type { OrderId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import { type Reach, scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

/** What an action needs of an order before it contacts the station; null when the caller may not see it. */
export async function findOrderInScope(db: Kysely<Tables>, caller: Reach, orderId: OrderId) {
  const query = db
    .selectFrom('orders as o')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .select([
      'o.id',
      'o.number',
      'o.state',
      'o.payment_state',
      'o.transaction_number',
      'o.transaction_key',
      'o.connector_number',
      's.number as stationNumber',
    ])
    .where('o.id', '=', orderId);
  return (await scoped(query, caller, 'o.agent_id', 'o.customer_id').executeTakeFirst()) ?? null;
}
