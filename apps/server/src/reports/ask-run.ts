import type { ApiError } from '@voltdeck/contract/errors';
import { reportPeriod } from '@voltdeck/contract/report-schedule';
import type { ReportRun, runReport as route } from '@voltdeck/contract/reports';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findReport, findRuns } from '../tasks/report-queries.ts';

/** Makes a report now, for the period that it would have if it were due. One run of a report at a time. */
export async function askRun(
  trx: Trx,
  caller: Caller,
  id: Id<'report'>,
  { audience }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<ReportRun, ApiError>> {
  const report = await findReport(trx, caller, id);
  if (report === null) return failed({ code: 'record.not_found' });
  await trx.selectFrom('reports').select('id').where('id', '=', id).forUpdate().execute();
  const open = await trx
    .selectFrom('report_runs')
    .select('id')
    .where('report_id', '=', id)
    .where('next_at', 'is not', null)
    .executeTakeFirst();
  if (open !== undefined) return failed({ code: 'report.running' });
  const { from, to } = reportPeriod(report, at);
  const run = await trx
    .insertInto('report_runs')
    .values({
      report_id: id,
      due_at: at,
      is_asked: true,
      is_trial: audience === 'owner',
      from_on: from,
      to_on: to,
      next_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (run === undefined) return failed({ code: 'report.running' });
  await giveJob(trx, 'run-reports', {}, { key: 'run-reports' });
  await audit(trx, caller, at, { action: 'report.run', recordKind: 'report', recordId: id, after: { audience } });
  const [asked = null] = await findRuns(trx, id, run.id);
  return found(asked);
}
