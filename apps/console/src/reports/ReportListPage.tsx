import { deleteReport, getReportRuns, listReports, type Report, runReport } from '@voltdeck/contract/reports';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking, auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';

const ReportFormDrawer = lazyPart(() => import('./ReportFormDrawer.tsx'));
const ReportRunsDrawer = lazyPart(() => import('./ReportRunsDrawer.tsx'));

const filters: Filters<typeof listReports> = { every: {}, enabled: {} };

const look: ListPageProps<typeof listReports>['look'] = {
  name: { widthPx: 200, isPinned: true, isKeyFact: true },
  every: { isKeyFact: true },
  nextAt: { isKeyFact: true },
  hour: { isHidden: true },
  userName: { isHidden: true },
};

const nameOf = ({ name }: Report) => name;
const savedText = (report: Report) => phrase('reports.saved', { name: report.name });

function formOf(report: Report | null, over: OverlayProps<Report>) {
  return <ReportFormDrawer report={report} {...formIn(over, savedText)} />;
}

const acts: Acts<Report> = {
  add: { on: 'list', label: 'reports.add', may: 'report.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'reports.edit', may: 'report.edit', overlay: formOf },
  runs: {
    on: 'row',
    label: 'reports.runs',
    may: 'report.read',
    overlay: (report, { open, close }) => <ReportRunsDrawer report={report} open={open} onClose={close} />,
  },
  try: asking({
    label: 'reports.try',
    may: 'report.edit',
    question: ({ name }) => phrase('reports.tryQuestion', { name }),
    details: 'reports.tryDetails',
    changes: [getReportRuns],
    act: ({ id }, idempotencyKey) => call(runReport, { params: { id }, body: { audience: 'owner' }, idempotencyKey }),
    told: ({ name }) => phrase('reports.asked', { name }),
  }),
  runNow: asking({
    label: 'reports.runNow',
    may: 'report.edit',
    question: ({ name }) => phrase('reports.runNowQuestion', { name }),
    details: ({ list }) => phrase('reports.runNowDetails', { list: list === null ? '' : phrase(`task-list.${list}`) }),
    changes: [getReportRuns],
    act: ({ id }, idempotencyKey) => call(runReport, { params: { id }, body: {}, idempotencyKey }),
    told: ({ name }) => phrase('reports.asked', { name }),
  }),
  audit: auditOf('report'),
  delete: deletion({
    label: 'reports.delete',
    may: 'report.edit',
    question: ({ name }) => phrase('reports.deleteQuestion', { name }),
    details: 'reports.deleteDetails',
    act: ({ id }, idempotencyKey) => call(deleteReport, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('reports.deleted', { name }),
  }),
};

/** Saved filters that are made into files on a schedule; /reports. */
export default function ReportListPage() {
  return (
    <ListPage
      list={listReports}
      title="reports.title"
      record="reports.report"
      nameOf={nameOf}
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'reports.empty', text: 'reports.emptyText' }}
    />
  );
}
