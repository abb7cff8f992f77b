import type { OrderId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Who } from '../caller/audit.ts';
import { type Reach, scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

/**
 * What an action needs of an order before it contacts the station; null when the caller may not act on it. Customers act
 * on their own orders through their own API; a registered user of the console only reads theirs.
 */
export async function findOrderInScope(
  db: Kysely<Tables>,
  caller: Reach & Pick<NonNullable<Who>, 'userId'>,
  orderId: OrderId,
) {
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
  const isCustomer = caller.userId === null;
  const inScope = scoped(query, caller, 'o.agent_id', isCustomer ? 'o.customer_id' : undefined);
  return (await inScope.executeTakeFirst()) ?? null;
}
