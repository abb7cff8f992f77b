import { equipmentTypes } from '@voltdeck/charging/states';
import { type StatisticsPeriod, statisticsDaysMax, statisticsPeriods } from '@voltdeck/contract/statistics';
import { instant, shanghaiDate } from '@voltdeck/units/instant';
import { Button, DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { type PhraseKey, phrase } from '../phrases.ts';
import { seesAgents } from '../session/reach.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { FilterSets } from '../ui/list/FilterSets.tsx';
import { RegionFilter } from '../ui/list/RegionFilter.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import styles from './statistics.module.css';
import { periodParameters, type StatisticsView, type ViewParameter, viewParameters } from './statistics-view.ts';

type Changes = Readonly<Partial<Record<ViewParameter, string | undefined>>>;

type Props = {
  view: StatisticsView;
  search: URLSearchParams;
  onChange: (changes: Changes) => void;
};

const dayFormat = 'YYYY-MM-DD';
const presetWords: Readonly<Record<StatisticsPeriod, PhraseKey>> = {
  today: 'list.today',
  yesterday: 'list.yesterday',
  last_7_days: 'list.last7Days',
  last_30_days: 'list.last30Days',
  this_month: 'list.thisMonth',
  last_month: 'list.lastMonth',
};

/** Which period, in which steps, and what of the network. */
export function StatisticsFilters({ view, search, onChange }: Props) {
  const isNarrow = useNarrow();
  const session = useSession();
  const can = useCan();
  const { preset, period, step, steps, filter } = view;
  const today = shanghaiDate(instant(Date.now()));
  const presets = statisticsPeriods.map((value) => ({ value, label: phrase(presetWords[value]) }));
  const choosePreset = (chosen: string | null) => {
    const known = statisticsPeriods.find((each) => each === chosen);
    if (known !== undefined) onChange(periodParameters(known));
  };
  const text = (value: number | string | undefined) => (value === undefined ? undefined : String(value));
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <search aria-label={phrase('list.filters')} className={styles.filters}>
      <div className={styles.line}>
        {isNarrow ? (
          <Select
            aria-label={phrase('statistics.presets')}
            className={styles.presetSelect ?? ''}
            value={preset}
            placeholder={phrase('statistics.ownPeriod')}
            options={presets}
            onChange={choosePreset}
          />
        ) : (
          <Segmented
            aria-label={phrase('statistics.presets')}
            // A period of the user's own is none of them.
            value={preset ?? ''}
            onChange={choosePreset}
            options={presets}
          />
        )}
        <DatePicker.RangePicker
          aria-label={phrase('statistics.ownPeriod')}
          className={styles.range ?? ''}
          allowClear={false}
          value={[dayjs(period.from), dayjs(period.to)]}
          disabledDate={(date, { from }) =>
            date.format(dayFormat) > today ||
            (from !== undefined && Math.abs(date.diff(from, 'day')) >= statisticsDaysMax)
          }
          onChange={(range) => {
            const [from, to] = range ?? [null, null];
            if (from === null || to === null) return;
            onChange(periodParameters({ from: from.format(dayFormat), to: to.format(dayFormat) }));
          }}
        />
        <Segmented
          aria-label={phrase('statistics.step')}
          value={step}
          onChange={(value) => onChange({ step: value })}
          options={steps.map((value) => ({ value, label: phrase(`statistics-step.${value}`) }))}
        />
      </div>
      <div className={styles.line}>
        <div className={styles.field}>
          <RegionFilter
            label={phrase('statistics.region')}
            value={filter.regionCode}
            onChange={(regionCode) => onChange({ regionCode })}
          />
        </div>
        {seesAgents(session) ? (
          <div className={styles.field}>
            <RecordSelect
              label={phrase('statistics.agent')}
              optional
              value={filter.agentId}
              choices={recordChoices.agent}
              onChange={(agentId) => onChange({ agentId: text(agentId) })}
            />
          </div>
        ) : null}
        {can('site.read') ? (
          <div className={styles.field}>
            <RecordSelect
              label={phrase('statistics.site')}
              optional
              value={filter.siteId}
              choices={recordChoices.site}
              onChange={(siteId) => onChange({ siteId: text(siteId) })}
            />
          </div>
        ) : null}
        <div className={styles.field}>
          <Select
            aria-label={phrase('statistics.equipmentType')}
            prefix={<span className="field-label">{phrase('statistics.equipmentType')}</span>}
            allowClear
            value={filter.equipmentType ?? null}
            options={equipmentTypes.map((value) => ({ value, label: phrase(`equipment-type.${value}`) }))}
            onChange={(equipmentType: string | null | undefined) =>
              onChange({ equipmentType: equipmentType ?? undefined })
            }
          />
        </div>
        <span className={styles.filterButtons}>
          <Button
            disabled={!isNarrowed}
            onClick={() =>
              onChange({ regionCode: undefined, agentId: undefined, siteId: undefined, equipmentType: undefined })
            }
          >
            {phrase('list.reset')}
          </Button>
          <FilterSets list="/statistics" parameters={viewParameters} search={search} onChoose={onChange} />
        </span>
      </div>
    </search>
  );
}
