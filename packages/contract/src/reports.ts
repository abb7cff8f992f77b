import * as z from 'zod/mini';
import { dayField, filter, idField, idParameter, instantField, nothing, shown, textField } from './fields.ts';
import { emailField } from './invoices.ts';
import { languages } from './languages.ts';
import { columnsOf, exportFormats, listNames, listRoute } from './list.ts';
import { reportTurns } from './report-schedule.ts';
import { route } from './route.ts';

export const reportLimits = {
  perUser: 50,
  emails: 20,
  /** Runs that one person may ask for by hand. */
  runsPerHour: 20,
  /** Runs that are shown, the latest. */
  runsShown: 30,
} as const;

/** Addresses in one text, as people write several. */
export function splitEmails(text: string): string[] {
  return [...new Set(text.split(/[\s,，;；、]+/).filter((part) => part !== ''))];
}
const isEmails = (text: string) => splitEmails(text).every((email) => emailField.safeParse(email).success);
const isFew = (text: string) => splitEmails(text).length <= reportLimits.emails;
const emailsField = z
  .string()
  .check(
    z.trim(),
    z.maxLength(reportLimits.emails * 102),
    z.refine(isEmails, { error: 'email_format', abort: true }),
    z.refine(isFew, { error: 'too_many' }),
  );

/** A list's saved filter that is made into a file again and again, with the rights that its owner then has. */
export const report = z.object({
  id: idField<'report'>(),
  name: z.string(),
  /** Null after the saved filter was deleted; the report then waits for another one. */
  filterSetId: z.nullable(idField<'filter_set'>()),
  filterName: z.nullable(z.string()),
  list: z.nullable(z.enum(listNames)),
  every: z.enum(reportTurns),
  weekday: z.nullable(z.int()),
  monthDay: z.nullable(z.int()),
  hour: z.int(),
  format: z.enum(exportFormats),
  language: z.enum(languages),
  /** Who gets it by mail, beside its owner, who finds it in the task centre. */
  emails: shown.email(),
  enabled: z.boolean(),
  userId: idField<'user'>(),
  userName: shown.name('userId'),
  /** What comes next, and the days that it will be about; null while it is off. */
  nextAt: z.nullable(instantField),
  nextFrom: z.nullable(dayField),
  nextTo: z.nullable(dayField),
});
export type Report = z.output<typeof report>;

export const listReports = listRoute({
  name: 'listReports',
  path: '/reports',
  summary: 'Reports that are made on a schedule: the caller’s own, or all of them for administrators',
  permission: 'report.read',
  sorts: ['id'],
  first: '-id',
  filters: { every: filter.choice(reportTurns), enabled: filter.flag() },
  item: report,
  columns: columnsOf<Report>()({
    name: { kind: 'text', title: 'reports.name' },
    list: { kind: 'choice', title: 'reports.list', words: 'task-list' },
    filterName: { kind: 'text', title: 'reports.filter', absent: 'reports.filterGone' },
    every: { kind: 'choice', title: 'reports.every', words: 'report-turn' },
    hour: { kind: 'count', title: 'reports.hour' },
    nextAt: { kind: 'instant', title: 'reports.nextAt' },
    nextFrom: { kind: 'day', title: 'reports.nextFrom' },
    nextTo: { kind: 'day', title: 'reports.nextTo' },
    format: { kind: 'choice', title: 'reports.format', words: 'report-format' },
    emails: { kind: 'text', title: 'reports.emails' },
    enabled: { kind: 'flag', title: 'reports.enabled' },
    userName: { kind: 'text', title: 'reports.owner' },
  }),
});

const form = {
  name: textField(60),
  filterSetId: idField<'filter_set'>(),
  every: z._default(z.enum(reportTurns), 'day'),
  /** From 1, Monday. */
  weekday: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(7)))),
  monthDay: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(31)))),
  hour: z._default(z.int().check(z.gte(0), z.lte(23)), 8),
  format: z._default(z.enum(exportFormats), 'xlsx'),
  language: z._default(z.enum(languages), 'zh-CN'),
  emails: z._default(emailsField, ''),
  enabled: z._default(z.boolean(), true),
};

/** A saved filter that the caller can have as a report. */
export const reportFilter = z.object({ id: idField<'filter_set'>(), name: z.string(), list: z.enum(listNames) });

export const getReportFilters = route({
  method: 'GET',
  path: '/report-filters',
  summary: 'The caller’s saved filters of lists that they may export, which a report can be made of',
  permission: 'report.edit',
  answer: z.object({ items: z.array(reportFilter) }),
  errors: [],
});

export const createReport = route({
  method: 'POST',
  path: '/reports',
  summary: 'Have a saved filter of the caller’s made into a file on a schedule',
  permission: 'report.edit',
  body: z.object(form),
  answer: report,
  errors: ['report.no_list'],
});

export const changeReport = route({
  method: 'PATCH',
  path: '/reports/{id}',
  summary: 'Change a report; what is left out stays',
  permission: 'report.edit',
  params: z.object({ id: idParameter<'report'>() }),
  body: z.partial(
    z.object({
      ...form,
      every: z.enum(reportTurns),
      hour: z.int().check(z.gte(0), z.lte(23)),
      format: z.enum(exportFormats),
      language: z.enum(languages),
      emails: emailsField,
      enabled: z.boolean(),
    }),
  ),
  answer: report,
  errors: ['report.no_list'],
});

export const deleteReport = route({
  method: 'DELETE',
  path: '/reports/{id}',
  summary: 'Delete a report and the story of its runs; files in the task centre stay',
  permission: 'report.edit',
  params: z.object({ id: idParameter<'report'>() }),
  answer: nothing,
  errors: [],
});

export const reportRunStates = ['waiting', 'writing', 'mailing', 'done', 'failed'] as const;
export type ReportRunState = (typeof reportRunStates)[number];
/** `unknown`: the mail server may have taken it over; it is not sent again by itself. */
export const reportMailStates = ['waiting', 'sent', 'failed', 'unknown'] as const;

export const reportRun = z.object({
  id: idField<'report_run'>(),
  /** When it was due, or when somebody asked for it. */
  dueAt: instantField,
  isAsked: z.boolean(),
  from: dayField,
  to: dayField,
  state: z.enum(reportRunStates),
  taskId: z.nullable(idField<'task'>()),
  /** An `ErrorCode`. */
  errorCode: z.nullable(z.string()),
  tries: z.int(),
  mails: z.array(
    z.object({
      email: shown.email(),
      state: z.enum(reportMailStates),
      tries: z.int(),
      /** An `ErrorCode`; null where nothing is wrong. */
      errorCode: z.nullable(z.string()),
      /** What the mail server said. */
      problem: z.nullable(shown.email()),
    }),
  ),
});
export type ReportRun = z.output<typeof reportRun>;

/** `everyone`: as on schedule; `owner`: for the owner’s task centre only, to try it. */
export const reportAudiences = ['everyone', 'owner'] as const;

export const runReport = route({
  method: 'POST',
  path: '/reports/{id}/runs',
  summary: 'Make a report now, for the period that it would have if it were due',
  permission: 'report.edit',
  params: z.object({ id: idParameter<'report'>() }),
  body: z.object({ audience: z._default(z.enum(reportAudiences), 'everyone') }),
  answer: reportRun,
  errors: ['report.running', 'report.too_many_runs'],
});

export const getReportRuns = route({
  method: 'GET',
  path: '/reports/{id}/runs',
  summary: 'What became of a report: its latest runs, each with its mails',
  permission: 'report.read',
  params: z.object({ id: idParameter<'report'>() }),
  answer: z.object({ items: z.array(reportRun) }),
  errors: [],
});
