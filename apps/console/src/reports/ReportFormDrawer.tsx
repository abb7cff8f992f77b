import { nextDueAt, reportPeriod } from '@voltdeck/contract/report-schedule';
import { changeReport, createReport, getReportFilters, listReports, type Report } from '@voltdeck/contract/reports';
import { instant, minuteMs, shanghaiDateTime } from '@voltdeck/units/instant';
import { Select } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { useNow } from '../ui/use-now.ts';
import { weekdayText } from '../ui/weekday.ts';

type Props = { report: Report | null; open: boolean; onClose: () => void; onSaved: (report: Report) => void };
type Schedule = {
  every?: Report['every'] | undefined;
  weekday?: number | null | undefined;
  monthDay?: number | null | undefined;
  hour?: number | null | undefined;
};

/** Adds or changes a report, and says when the next one comes and what it will be about. */
export default function ReportFormDrawer({ report, open, onClose, onSaved }: Props) {
  const now = useNow(minuteMs, open);
  const filters = useAnswer(getReportFilters, {}, { enabled: open });
  const sets = filters.data?.items ?? [];
  const nextText = ({ every = 'day', weekday = null, monthDay = null, hour }: Schedule) => {
    const isWhole = (every !== 'week' || weekday !== null) && (every !== 'month' || monthDay !== null);
    if (!isWhole || hour === null || hour === undefined) return phrase('reports.hourHint');
    const at = nextDueAt({ every, weekday, monthDay, hour }, instant(now));
    return phrase('reports.nextText', { at: shanghaiDateTime(at).slice(0, 16), ...reportPeriod({ every }, at) });
  };
  return (
    <RouteForm
      route={createReport}
      change={changeReport}
      record={report}
      title={report === null ? phrase('reports.add') : phrase('reports.editTitle', { name: report.name })}
      submitLabel={phrase(report === null ? 'reports.add' : 'reports.save')}
      draft={`report ${report?.id ?? 'add'}`}
      initial={{ every: 'day', weekday: 1, monthDay: 1, hour: 8, format: 'xlsx', language, emails: '', enabled: true }}
      fields={{
        name: { label: 'reports.name' },
        filterSetId: {
          label: 'reports.filter',
          hint: 'reports.filterHint',
          control: (
            <Select
              loading={filters.isPending}
              options={sets.map(({ id, list, name }) => ({
                value: id,
                label: `${phrase(`task-list.${list}`)} · ${name}`,
              }))}
              notFoundContent={phrase('reports.noFilters')}
            />
          ),
        },
        every: { label: 'reports.every', word: (every) => phrase(`report-turn.${every}`) },
        weekday: {
          label: 'reports.weekday',
          shownIf: ({ every }) => every === 'week',
          control: (
            <Select
              options={([1, 2, 3, 4, 5, 6, 7] as const).map((value) => ({
                value,
                label: weekdayText(value, 'long'),
              }))}
            />
          ),
        },
        monthDay: {
          label: 'reports.monthDay',
          hint: 'reports.monthDayHint',
          shownIf: ({ every }) => every === 'month',
        },
        hour: { label: 'reports.hour', hint: nextText, requiredIf: () => true },
        format: { label: 'reports.format', word: (format) => phrase(`report-format.${format}`) },
        language: { label: 'reports.language', word: (word) => phrase(`report-language.${word}`) },
        emails: { label: 'reports.emails', hint: 'reports.emailsHint' },
        enabled: { label: 'reports.enabled' },
      }}
      refreshes={[listReports]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
