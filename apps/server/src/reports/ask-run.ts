import type { ApiError } from '@voltdeck/contract/errors';
import { reportPeriod } from '@voltdeck/contract/report-schedule';
import { type ReportRun, reportLimits, type runReport as route } from '@voltdeck/contract/reports';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Id } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { findReport, findRuns } from '../tasks/report-queries.ts';

/**
 * Makes a report now, for the period that it would have if it were due. One run of a report at a time, and so many an
 * hour of one person: each may mail its file to as many as a report has.
 */
export async function askRun(
  trx: Trx,
  caller: Caller,
  id: Id<'report'>,
  { audience }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<ReportRun, ApiError>> {
  const report = await findReport(trx, caller, id);
  if (report === null) return failed({ code: 'record.not_found' });
  const held = await trx.selectFrom('reports').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  if (held === undefined) return failed({ code: 'record.not_found' });
  const open = await trx
    .selectFrom('report_runs')
    .select('id')
    .where('report_id', '=', id)
    .where('next_at', 'is not', null)
    .executeTakeFirst();
  if (open !== undefined) return failed({ code: 'report.running' });
  const freeAt = await whenFree(trx, caller, at);
  if (freeAt > at) {
    const [seconds, minutes] = [Math.ceil((freeAt - at) / secondMs), Math.ceil((freeAt - at) / minuteMs)];
    return failed({ code: 'report.too_many_runs', params: { max: reportLimits.runsPerHour, seconds, minutes } });
  }
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

/** When the caller may ask for the next run. Counted in the audit log, because the runs of a deleted report stay there. */
async function whenFree(trx: Trx, { userId }: Caller, at: Instant): Promise<Instant> {
  // One user's requests take turns, because concurrent ones would all count too few.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const last = await trx
    .selectFrom('audit_entries')
    .select('at')
    .where('user_id', '=', userId)
    .where('action', '=', 'report.run')
    .where('at', '>', instant(at - hourMs))
    .orderBy('at', 'desc')
    .offset(reportLimits.runsPerHour - 1)
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? at : instant(last.at + hourMs);
}
