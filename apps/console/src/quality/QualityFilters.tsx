import { equipmentTypes } from '@voltdeck/charging/states';
import { attemptModes, qualityDaysMax } from '@voltdeck/contract/quality';
import { instant, shanghaiDate } from '@voltdeck/units/instant';
import { DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { type PhraseKey, phrase } from '../phrases.ts';
import { seesAgents } from '../session/reach.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { RegionFilter } from '../ui/list/RegionFilter.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { useAddress } from '../ui/use-address.ts';
import styles from './quality.module.css';
import {
  daysOfQuery,
  lastDays,
  type Period,
  periodIn,
  periodNames,
  periodOf,
  periods,
  queryOf,
} from './quality-query.ts';

const dayFormat = 'YYYY-MM-DD';
const periodWords: Readonly<Record<Period, PhraseKey>> = {
  today: 'list.today',
  sevenDays: 'list.last7Days',
  thirtyDays: 'list.last30Days',
};

/** The period and whose figures are shown; the address keeps both. */
export function QualityFilters() {
  const [search, setSearch] = useAddress();
  const session = useSession();
  const can = useCan();
  const now = instant(Date.now());
  const query = queryOf(search, now);
  const days = daysOfQuery(query, now);
  const change = (values: Record<string, string | undefined>) =>
    setSearch(
      (next) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  const text = (value: number | undefined) => (value === undefined ? undefined : String(value));
  return (
    <div className={styles.filters}>
      <Segmented
        aria-label={phrase('quality.period')}
        // A period of the user's own is none of them.
        value={periodIn(search, now) ?? ''}
        options={periodNames.map((value) => ({ value, label: phrase(periodWords[value]) }))}
        onChange={(value) => {
          const known = periodNames.find((name) => name === value);
          if (known !== undefined) change({ ...lastDays(periods[known], now), to: undefined });
        }}
      />
      <DatePicker.RangePicker
        aria-label={phrase('quality.ownPeriod')}
        className={styles.range ?? ''}
        allowClear={false}
        value={[dayjs(days.fromOn), dayjs(days.toOn)]}
        disabledDate={(date, { from }) =>
          date.format(dayFormat) > shanghaiDate(now) ||
          (from !== undefined && Math.abs(date.diff(from, 'day')) >= qualityDaysMax)
        }
        onChange={(range) => {
          const [from, to] = range ?? [null, null];
          if (from === null || to === null) return;
          change(periodOf({ fromOn: from.format(dayFormat), toOn: to.format(dayFormat) }, now));
        }}
      />
      {can('site.read') ? (
        <div className={styles.filter}>
          <RecordSelect
            label={phrase('quality.site')}
            choices={recordChoices.site}
            optional
            value={query.siteId}
            onChange={(siteId) => change({ siteId: text(siteId) })}
          />
        </div>
      ) : null}
      {seesAgents(session) ? (
        <div className={styles.filter}>
          <RecordSelect
            label={phrase('quality.agent')}
            choices={recordChoices.agent}
            optional
            value={query.agentId}
            onChange={(agentId) => change({ agentId: text(agentId) })}
          />
        </div>
      ) : null}
      <div className={styles.filter}>
        <RegionFilter
          label={phrase('quality.region')}
          value={query.regionCode}
          onChange={(regionCode) => change({ regionCode })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          aria-label={phrase('quality.equipment')}
          prefix={<span className="field-label">{phrase('quality.equipment')}</span>}
          style={{ width: '100%' }}
          allowClear
          value={query.equipmentType ?? null}
          options={equipmentTypes.map((value) => ({ value, label: phrase(`equipment-type.${value}`) }))}
          onChange={(value: string | null | undefined) => change({ equipmentType: value ?? undefined })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          mode="multiple"
          maxTagCount="responsive"
          aria-label={phrase('quality.startMode')}
          prefix={<span className="field-label">{phrase('quality.startMode')}</span>}
          style={{ width: '100%' }}
          allowClear
          value={query.startMode ?? []}
          options={attemptModes.map((value) => ({ value, label: phrase(`start-mode.${value}`) }))}
          onChange={(values) => change({ startMode: values.length === 0 ? undefined : values.join(',') })}
        />
      </div>
    </div>
  );
}
