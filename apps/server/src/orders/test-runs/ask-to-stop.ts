import { type TestRunEnd, testRunLimits } from '@voltdeck/charging/port-test-run';
import type { Authorization } from '@voltdeck/charging/states';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { storableJson } from '../../database/column-values.ts';
import { giveJob } from '../../database/give-job.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { appendTimeline, timelineEntry } from '../order-record.ts';
import type { OrderRow } from '../order-row.ts';

/** Attempts of one job; the database may be away for a while. */
const attemptsMax = 25;

/** Schedules the job that asks the station to stop. */
export async function giveStop(trx: Trx, orderId: OrderId, runAt: Instant): Promise<void> {
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

export async function findRunningTest(db: Kysely<Tables>, orderId: OrderId): Promise<RunningTest | null> {
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

/** Notes that a test run is to stop now, and schedules another request in case it does not. */
export async function noteStop(
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

export async function askToStop(context: Context<'money'>, orderId: OrderId, run: RunningTest): Promise<void> {
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
