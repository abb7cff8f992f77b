import { instant } from '@voltdeck/units/instant';
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import { phrase } from '../../phrases.ts';
import { isoOfWallTime, wallTimeNow, wallTimeOf } from './wall-time.ts';

export type PeriodFieldProps = {
  label: string;
  from: string | undefined;
  to: string | undefined;
  onChange: (from: string | undefined, to: string | undefined) => void;
  defaultOpen?: boolean;
  /** Also offers the last minutes and hours. */
  isFine?: boolean;
};

/** The last day ends at its last second, as people expect. */
function daysUntilNow(days: number, now: Dayjs): [Dayjs, Dayjs] {
  return [now.subtract(days - 1, 'day').startOf('day'), now.endOf('day')];
}

/** A period in Asia/Shanghai; either end may be open. */
export default function PeriodField({ label, from, to, onChange, defaultOpen, isFine }: PeriodFieldProps) {
  const presets = () => {
    const now = wallTimeNow(instant(Date.now()));
    const yesterday = now.subtract(1, 'day');
    const lastMonth = now.subtract(1, 'month');
    const sinceMinutes = (minutes: number): [Dayjs, null] => [now.subtract(minutes, 'minute'), null];
    const fine = [
      { label: phrase('list.last15Minutes'), value: sinceMinutes(15) },
      { label: phrase('list.lastHour'), value: sinceMinutes(60) },
      { label: phrase('list.last6Hours'), value: sinceMinutes(360) },
    ];
    return [
      ...(isFine ? fine : []),
      { label: phrase('list.today'), value: daysUntilNow(1, now) },
      {
        label: phrase('list.yesterday'),
        value: [yesterday.startOf('day'), yesterday.endOf('day')] as [Dayjs, Dayjs],
      },
      { label: phrase('list.last7Days'), value: daysUntilNow(7, now) },
      { label: phrase('list.last30Days'), value: daysUntilNow(30, now) },
      { label: phrase('list.thisMonth'), value: [now.startOf('month'), now.endOf('day')] as [Dayjs, Dayjs] },
      {
        label: phrase('list.lastMonth'),
        value: [lastMonth.startOf('month'), lastMonth.endOf('month')] as [Dayjs, Dayjs],
      },
    ];
  };
  return (
    <DatePicker.RangePicker
      aria-label={label}
      style={{ width: '100%' }}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowEmpty={[true, true]}
      placeholder={[phrase('list.from'), phrase('list.to')]}
      presets={presets()}
      value={[wallTimeOf(from), wallTimeOf(to)]}
      autoFocus={defaultOpen ?? false}
      defaultOpen={defaultOpen ?? false}
      onChange={(range) => {
        const [start, end] = range ?? [null, null];
        onChange(start === null ? undefined : isoOfWallTime(start), end === null ? undefined : isoOfWallTime(end));
      }}
    />
  );
}
