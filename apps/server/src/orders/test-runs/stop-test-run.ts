import { decideTestRun, type TestRunEnd, testRunEndsAt, testRunLimits } from '@voltdeck/charging/port-test-run';
import type { Authorization } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Context } from '../../context.ts';
import { storableJson } from '../../database/column-values.ts';
import { giveJob, type Jobs } from '../../database/give-job.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { cancelPlaced } from '../cancel-order.ts';
import { appendTimeline, timelineEntry } from '../order-record.ts';
import type { OrderRow } from '../order-row.ts';

/** Attempts of one job; the database may be away for a while. */
const attemptsMax = 25;

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

async function giveStop(trx: Trx, orderId: OrderId, runAt: Instant): Promise<void> {
  await giveJob(trx, 'stop-test-run', { orderId }, { key: `stop-test-run:${orderId}`, runAt, attemptsMax });
}

type RunningTest = {
  orderNumber: string;
  state: OrderRow['state'];
  begunAt: Instant | null;
  transactionNumber: number | null;
  transactionKey: string | null;
  connectorNumber: number;
  stationNumber: string;
  minutes: number;
  authorization: Authorization | null;
  stopBecause: TestRunEnd | null;
};

async function findRunningTest(db: Kysely<Tables>, orderId: OrderId): Promise<RunningTest | null> {
  const run = await db
    .selectFrom('test_runs as t')
    .innerJoin('orders as o', 'o.id', 't.order_id')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .select([
      'o.number as orderNumber',
      'o.state',
      'o.begun_at as begunAt',
      'o.transaction_number as transactionNumber',
      'o.transaction_key as transactionKey',
      'o.connector_number as connectorNumber',
      sql<Authorization | null>`o.start_authorization`.as('authorization'),
      's.number as stationNumber',
      't.minutes',
      't.stop_because as stopBecause',
    ])
    .where('t.order_id', '=', orderId)
    .executeTakeFirst();
  return run ?? null;
}

/**
 * The job given by `beginTestRun`: asks the station to stop when the minutes are over, and again until it has. The next
 * attempt is scheduled before the station is asked, so a process that dies meanwhile leaves it to the next one.
 */
export async function stopOverdueTestRun(context: Context<'money'>, { orderId }: Jobs['stop-test-run']): Promise<void> {
  const now = context.now();
  const { db } = context.database;
  const run = await findRunningTest(db, orderId);
  if (run === null) return;
  const decision = decideTestRun({ ...run, now });
  switch (decision.kind) {
    case 'nothing':
      return;
    case 'wait':
      return db.transaction().execute((trx) => giveStop(trx, orderId, decision.until));
    case 'stop': {
      const isFirst = run.stopBecause === null;
      await db.transaction().execute((trx) => noteStop(trx, orderId, { because: decision.because, isFirst, now }));
      await askToStop(context, orderId, run);
    }
  }
}

/** Notes that a test run is to stop now, and schedules another request in case it does not. */
async function noteStop(
  trx: Trx,
  orderId: OrderId,
  { because, isFirst, now, userName }: { because: TestRunEnd; isFirst: boolean; now: Instant; userName?: string },
): Promise<void> {
  await trx
    .updateTable('test_runs')
    .set({ stop_because: because, stop_asked_at: now })
    .where('order_id', '=', orderId)
    .where('stop_because', 'is', null)
    .execute();
  if (isFirst) {
    const entry = timelineEntry(now, 'stop_asked', userName === undefined ? { because } : { userName });
    await trx
      .updateTable('orders')
      .set({ timeline: appendTimeline(entry) as never })
      .where('id', '=', orderId)
      .execute();
  }
  await giveStop(trx, orderId, instant(now + testRunLimits.askAgainMs));
}

async function askToStop(context: Context<'money'>, orderId: OrderId, run: RunningTest): Promise<void> {
  const outcome = await context.bus.commandStation(run.stationNumber, {
    kind: 'stop-charge',
    transaction: run.transactionKey ?? run.transactionNumber ?? 0,
    connectorNumber: run.connectorNumber,
  });
  await context.database.db
    .updateTable('test_runs')
    .set({ stop_answer: storableJson(JSON.stringify(outcome)) })
    .where('order_id', '=', orderId)
    .execute();
  context.log.info({ order: run.orderNumber, outcome: outcome.kind }, 'test run: asked the station to stop');
}

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
