import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { ExportFormat, ListName } from '@voltdeck/contract/list';
import { type ReportTurn, reportPeriod } from '@voltdeck/contract/report-schedule';
import { listReports, type Report, type ReportRun, reportLimits } from '@voltdeck/contract/reports';
import type { Id, UserId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { ownedBy } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { keptQuery, listOfScreen } from './list-of-screen.ts';

/** The code of a mail that the mail server may have taken over. */
export const mailUnknown = 'report.mail_unknown' satisfies ErrorCode;

type Owner = Pick<Caller, 'userId' | 'admin'>;
export const ownReports = (db: Kysely<Tables>, caller: Owner) =>
  ownedBy(db.selectFrom('reports'), caller, 'reports.user_id');

const columns = [
  'reports.id',
  'reports.name',
  'reports.filter_set_id as filterSetId',
  'filter_sets.name as filterName',
  'filter_sets.list as filterList',
  'reports.every',
  'reports.weekday',
  'reports.month_day as monthDay',
  'reports.hour',
  'reports.format',
  'reports.language',
  'reports.emails',
  'reports.enabled',
  'reports.user_id as userId',
  'users.user_name as userName',
  'reports.next_at as nextAt',
] as const;

function withNames(query: ReturnType<typeof ownReports>) {
  return query
    .innerJoin('users', 'users.id', 'reports.user_id')
    .leftJoin('filter_sets', 'filter_sets.id', 'reports.filter_set_id');
}

type Row = Omit<Report, 'list' | 'nextAt' | 'nextFrom' | 'nextTo' | 'every' | 'format' | 'language'> & {
  filterList: string | null;
  every: string;
  format: string;
  language: string;
  nextAt: Instant | null;
};

function toReport({ filterList, nextAt, every, format, language, ...row }: Row): Report {
  const period = nextAt === null ? null : reportPeriod({ every: every as ReportTurn }, nextAt);
  return {
    ...row,
    every: every as ReportTurn,
    format: format as ExportFormat,
    language: language as Language,
    list: filterList === null ? null : listOfScreen(filterList),
    nextAt: isoOrNull(nextAt),
    nextFrom: period?.from ?? null,
    nextTo: period?.to ?? null,
  };
}

export async function findReport(db: Kysely<Tables>, caller: Owner, id: Id<'report'>): Promise<Report | null> {
  const row = await withNames(ownReports(db, caller)).select(columns).where('reports.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toReport(row);
}

export const reportList = listSource({
  route: listReports,
  filtered(db, caller, filter) {
    let reports = ownReports(db, caller);
    if (filter.every !== undefined) reports = reports.where('reports.every', 'in', filter.every);
    if (filter.enabled !== undefined) reports = reports.where('reports.enabled', '=', filter.enabled);
    return reports;
  },
  id: sql`reports.id`,
  sorts: { id: sql`reports.id` },
  rows: (db) => withNames(db.selectFrom('reports')).select(columns),
  toItem: toReport,
});

/** The latest runs of a report, or one of them. The report is within the caller's reach. */
export async function findRuns(
  db: Kysely<Tables>,
  reportId: Id<'report'>,
  runId?: Id<'report_run'>,
): Promise<ReportRun[]> {
  let wanted = db
    .selectFrom('report_runs')
    .selectAll()
    .select(sql<string>`from_on::text`.as('from'))
    .select(sql<string>`to_on::text`.as('to'))
    .where('report_id', '=', reportId)
    .orderBy('due_at', 'desc')
    .limit(reportLimits.runsShown);
  if (runId !== undefined) wanted = wanted.where('id', '=', runId);
  const runs = await wanted.execute();
  if (runs.length === 0) return [];
  const mails = await db
    .selectFrom('report_mails')
    .select(['run_id', 'email', 'state', 'tries', 'error_code as errorCode', 'problem'])
    .where(
      'run_id',
      'in',
      runs.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return runs.map((run) => ({
    id: run.id,
    dueAt: toIso(run.due_at),
    isAsked: run.is_asked,
    from: run.from,
    to: run.to,
    state: run.state as ReportRun['state'],
    taskId: run.task_id,
    errorCode: run.error_code,
    tries: run.tries,
    mails: mails
      .filter(({ run_id }) => run_id === run.id)
      .map(({ run_id: _run, state, ...mail }) => ({ ...mail, state: shownState(state, mail.errorCode) })),
  }));
}

/** A mail that may have arrived is kept as a failed one with a code of its own. */
function shownState(state: string, errorCode: string | null): ReportRun['mails'][number]['state'] {
  return errorCode === mailUnknown ? 'unknown' : (state as ReportRun['mails'][number]['state']);
}

/** What a run needs of its report. */
export type ReportOrder = {
  id: Id<'report'>;
  userId: UserId;
  name: string;
  list: ListName | null;
  /** What its screen fixes and what its filter says, as in the list's address. */
  query: Readonly<Record<string, string>>;
  format: ExportFormat;
  language: Language;
  emails: string;
  every: ReportTurn;
};

export async function findReportOrder(db: Kysely<Tables>, id: Id<'report'>): Promise<ReportOrder> {
  const row = await db
    .selectFrom('reports')
    .leftJoin('filter_sets', 'filter_sets.id', 'reports.filter_set_id')
    .select(['reports.id', 'reports.user_id as userId', 'reports.name', 'filter_sets.list', 'filter_sets.query'])
    .select(['reports.format', 'reports.language', 'reports.emails', 'reports.every'])
    .where('reports.id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    ...row,
    list: row.list === null ? null : listOfScreen(row.list),
    query: row.list === null || row.query === null ? {} : keptQuery({ list: row.list, query: row.query }),
    format: row.format as ExportFormat,
    language: row.language as Language,
    every: row.every as ReportTurn,
  };
}
