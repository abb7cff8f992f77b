import type { ApiError } from '@voltdeck/contract/errors';
import { nextDueAt, type ReportSchedule, type ReportTurn, reportPeriod } from '@voltdeck/contract/report-schedule';
import {
  type changeReport as changeRoute,
  type createReport as createRoute,
  type Report,
  reportLimits,
  splitEmails,
} from '@voltdeck/contract/reports';
import type { BodyOf } from '@voltdeck/contract/route';
import type { FilterSetId, Id, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { found } from '../http/found.ts';
import { whyTooLong } from '../http/list-source.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { keptQuery, listOfScreen } from '../tasks/list-of-screen.ts';
import { findReport, ownReports } from '../tasks/report-queries.ts';
import { queryOf } from './report-query.ts';

const notFound = { code: 'record.not_found' } as const;

/** Has one of the caller's saved filters made into a file on a schedule. */
export async function createReport(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof createRoute>,
  at: Instant,
): Promise<Result<Report, ApiError>> {
  // One user's requests take turns, because concurrent ones would all count too few.
  await trx.selectFrom('users').select('id').where('id', '=', caller.userId).forNoKeyUpdate().execute();
  const { kept } = await trx
    .selectFrom('reports')
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .where('user_id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  if (kept >= reportLimits.perUser) {
    return failed({ code: 'request.invalid', fields: [{ path: 'name', code: 'too_many' }] });
  }
  const schedule = scheduleOf(form);
  if (!schedule.ok) return schedule;
  const refusal = await whyNoReport(trx, caller, form, at);
  if (refusal !== null) return failed(refusal);
  const { id } = await trx
    .insertInto('reports')
    .values({
      user_id: caller.userId,
      name: form.name,
      filter_set_id: form.filterSetId,
      ...columnsOf(schedule.value),
      format: form.format,
      language: form.language,
      emails: tidy(form.emails),
      enabled: form.enabled,
      next_at: form.enabled ? nextDueAt(schedule.value, at) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'report.create', recordKind: 'report', recordId: id, after: form });
  return found(await findReport(trx, caller, id));
}

/** Changes a report. Its next time is counted from now; no period is made again because of another hour. */
export async function changeReport(
  trx: Trx,
  caller: Caller,
  id: Id<'report'>,
  form: BodyOf<typeof changeRoute>,
  at: Instant,
): Promise<Result<Report, ApiError>> {
  await ownReports(trx, caller).select('reports.id').where('reports.id', '=', id).forUpdate().execute();
  const before = await findReport(trx, caller, id);
  if (before === null) return failed(notFound);
  const merged = { ...before, ...given(form) };
  const schedule = scheduleOf(merged);
  if (!schedule.ok) return schedule;
  const { filterSetId, every } = merged;
  if (filterSetId !== before.filterSetId && before.userId !== caller.userId) {
    // The saved filters are each user's own, and the report runs with its owner's rights.
    return failed({ code: 'access.denied' });
  }
  if (filterSetId !== null && (filterSetId !== before.filterSetId || every !== before.every)) {
    const refusal = await whyNoReport(trx, caller, { filterSetId, every, userId: before.userId }, at);
    if (refusal !== null) return failed(refusal);
  }
  await trx
    .updateTable('reports')
    .set({
      name: merged.name,
      filter_set_id: merged.filterSetId,
      ...columnsOf(schedule.value),
      format: merged.format,
      language: merged.language,
      emails: tidy(merged.emails),
      enabled: merged.enabled,
      next_at: merged.enabled ? await nextUnmadeAt(trx, id, schedule.value, at) : null,
    })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, { action: 'report.change', recordKind: 'report', recordId: id, before, after: form });
  return found(await findReport(trx, caller, id));
}

/** When a report is due next for a period that it was not made for by itself. */
async function nextUnmadeAt(trx: Trx, id: Id<'report'>, schedule: ReportSchedule, at: Instant): Promise<Instant> {
  for (let dueAt = nextDueAt(schedule, at); ; dueAt = nextDueAt(schedule, dueAt)) {
    const { from, to } = reportPeriod(schedule, dueAt);
    const made = await trx
      .selectFrom('report_runs')
      .select('id')
      .where('report_id', '=', id)
      .where('is_asked', '=', false)
      .where('from_on', '=', from)
      .where('to_on', '=', to)
      .executeTakeFirst();
    if (made === undefined) return dueAt;
  }
}

export async function deleteReport(
  trx: Trx,
  caller: Caller,
  id: Id<'report'>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const before = await findReport(trx, caller, id);
  if (before === null) return failed(notFound);
  await trx.deleteFrom('reports').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'report.delete', recordKind: 'report', recordId: id, before });
  return ok(null);
}

type Wanted = { filterSetId: FilterSetId; every: ReportTurn; userId?: UserId };

/**
 * Why the caller may not have this filter as a report: it is not its owner's, its list is none that they may export, or
 * the list takes neither the filter nor a period of that length.
 */
async function whyNoReport(
  trx: Trx,
  caller: Caller,
  { filterSetId, every, userId = caller.userId }: Wanted,
  at: Instant,
): Promise<ApiError | null> {
  const set = await trx
    .selectFrom('filter_sets')
    .select(['list', 'query'])
    .where('id', '=', filterSetId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (set === undefined)
    return { code: 'request.invalid', fields: [{ path: 'filterSetId', code: 'unknown_reference' }] };
  const list = listOfScreen(set.list);
  if (list === null) return { code: 'report.no_list' };
  const exportable = exportableLists[list];
  if (!mayCall(exportable, caller) || !isFor(exportable, caller)) return { code: 'access.denied' };
  const wanted = exportable.parseWanted(queryOf({ list, query: keptQuery(set) }, reportPeriod({ every }, at)));
  if (!wanted.ok) return { code: 'report.no_list' };
  const fault = whyTooLong(exportable, wanted.value.filter, at);
  return fault === null ? null : { code: 'request.invalid', fields: [{ ...fault, path: 'every' }] };
}

type GivenSchedule = {
  every: ReportTurn;
  weekday?: number | null | undefined;
  monthDay?: number | null | undefined;
  hour: number;
};

/** A weekly report needs its weekday, a monthly one its day; what a turn does not use is dropped. */
function scheduleOf({ every, weekday, monthDay, hour }: GivenSchedule): Result<ReportSchedule, ApiError> {
  const schedule = {
    every,
    hour,
    weekday: every === 'week' ? (weekday ?? null) : null,
    monthDay: every === 'month' ? (monthDay ?? null) : null,
  };
  const lacks =
    every === 'week' && schedule.weekday === null
      ? 'weekday'
      : every === 'month' && schedule.monthDay === null
        ? 'monthDay'
        : null;
  return lacks === null
    ? ok(schedule)
    : failed({ code: 'request.invalid', fields: [{ path: lacks, code: 'required' }] });
}

const columnsOf = ({ every, weekday, monthDay, hour }: ReportSchedule) => ({
  every,
  weekday,
  month_day: monthDay,
  hour,
});
const tidy = (emails: string) => splitEmails(emails).join(', ');

/** The fields of a change that were sent. */
function given<Form extends object>(form: Form): { [Key in keyof Form]: Exclude<Form[Key], undefined> } {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as never;
}
