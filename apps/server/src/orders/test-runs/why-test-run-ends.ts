import type { TestRunEnd } from '@voltdeck/charging/port-test-run';
import type { Trx } from '../../database/transact.ts';
import type { OrderRow } from '../order-row.ts';

/** Why we asked for the end of a test run that its station reports as ended remotely; null where we did not. */
export async function whyTestRunEnds(trx: Trx, order: OrderRow): Promise<TestRunEnd | null> {
  if (order.start_mode !== 'test') return null;
  const run = await trx
    .selectFrom('test_runs')
    .select('stop_because')
    .where('order_id', '=', order.id)
    .executeTakeFirst();
  return run?.stop_because ?? null;
}
