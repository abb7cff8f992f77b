import * as contract from '@voltdeck/contract/reports';
import { failed, ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { findReport, findRuns } from '../tasks/report-queries.ts';
import { askRun } from './ask-run.ts';
import { changeReport, createReport, deleteReport } from './keep-report.ts';
import { reportFiltersOf } from './report-filters.ts';

export function bindReports({ bind }: Binder, { database: { db } }: Context<'console'>): void {
  bind(contract.getReportFilters, async ({ caller }) => ok({ items: await reportFiltersOf(db, caller) }));
  bind(contract.createReport, ({ caller, body, at, transact }) =>
    transact((trx) => createReport(trx, caller, body, at)),
  );
  bind(contract.changeReport, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeReport(trx, caller, params.id, body, at)),
  );
  bind(contract.deleteReport, ({ caller, params, at, transact }) =>
    transact((trx) => deleteReport(trx, caller, params.id, at)),
  );
  bind(contract.runReport, ({ caller, params, body, at, transact }) =>
    transact((trx) => askRun(trx, caller, params.id, body, at)),
  );
  bind(contract.getReportRuns, async ({ caller, params }) => {
    const report = await findReport(db, caller, params.id);
    return report === null ? failed({ code: 'record.not_found' }) : ok({ items: await findRuns(db, params.id) });
  });
}
