import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Context } from '../../context.ts';
import { cancelPlaced } from '../cancel-order.ts';
import { askToStop, findRunningTest, noteStop } from './ask-to-stop.ts';

/**
 * A person ends a test run before its minutes are over. One that has not begun is cancelled. A station that cannot be
 * reached is asked again until it has stopped.
 */
export async function stopTestRun(
  context: Context<'money'>,
  caller: Caller,
  orderId: OrderId,
): Promise<Result<null, ApiError>> {
  const { db } = context.database;
  const visible = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select('id')
    .where('id', '=', orderId)
    .executeTakeFirst();
  const run = visible === undefined ? null : await findRunningTest(db, orderId);
  if (run === null) return failed({ code: 'record.not_found' });
  if (run.state === 'placed' && (await cancelWaiting(context, caller, orderId))) return ok(null);
  const begun = run.state === 'placed' ? await findRunningTest(db, orderId) : run;
  if (begun?.state !== 'charging') return failed({ code: 'order.already_ended' });
  const now = context.now();
  await db.transaction().execute(async (trx) => {
    const { userName } = caller;
    await noteStop(trx, orderId, { because: 'remote', isFirst: begun.stopBecause === null, now, userName });
    await audit(trx, caller, now, { action: 'order.stop', recordKind: 'order', recordId: orderId });
  });
  await askToStop(context, orderId, begun);
  return ok(null);
}

/** False when it has begun or ended in the meantime. */
async function cancelWaiting(context: Context<'money'>, caller: Caller, orderId: OrderId): Promise<boolean> {
  const params = { userName: caller.userName };
  if (!(await cancelPlaced(context, orderId, { event: 'cancelled', params, caller }))) return false;
  await context.database.db
    .updateTable('test_runs')
    .set({ stop_because: 'remote', stop_asked_at: context.now() })
    .where('order_id', '=', orderId)
    .execute();
  return true;
}
