import { testRunEndsAt, testRunLimits } from '@voltdeck/charging/port-test-run';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../../database/transact.ts';
import type { OrderRow } from '../order-row.ts';
import { giveStop } from './ask-to-stop.ts';

/**
 * In the transaction in which a test run begins to charge: schedules its end. A charge that begins with the token or
 * name of an earlier test run (`heir`) is a test run of as many minutes, at most; of the fewest, should that one have
 * none.
 */
export async function beginTestRun(trx: Trx, order: OrderRow, heir: OrderRow | null, at: Instant): Promise<void> {
  await sql`
    insert into test_runs (order_id, connector_id, minutes, user_name)
    select ${order.id}, ${order.connector_id}, coalesce(h.minutes, ${testRunLimits.minutesMin}::integer),
           coalesce(h.user_name, '')
      from (select) one left join test_runs h on h.order_id = ${heir?.id ?? null}
        on conflict (order_id) do nothing`.execute(trx);
  const { minutes } = await trx
    .selectFrom('test_runs')
    .select('minutes')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow();
  await giveStop(trx, order.id, testRunEndsAt({ begunAt: at, minutes, authorization: order.start_authorization }));
}
