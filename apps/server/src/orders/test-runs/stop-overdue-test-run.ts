import { decideTestRun } from '@voltdeck/charging/port-test-run';
import type { Context } from '../../context.ts';
import type { Jobs } from '../../database/give-job.ts';
import { askToStop, findRunningTest, giveStop, noteStop } from './ask-to-stop.ts';

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
