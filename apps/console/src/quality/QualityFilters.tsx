import { equipmentTypes } from '@voltdeck/charging/states';
import { attemptModes } from '@voltdeck/contract/quality';
import { instant } from '@voltdeck/units/instant';
import { Segmented, Select, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { seesAgents } from '../session/reach.ts';
import { useSession } from '../session/session.ts';
import { RegionFilter } from '../ui/list/RegionFilter.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import styles from './quality.module.css';
import { lastDays, type Period, periodIn, periodNames, periods, startModesIn } from './quality-query.ts';

const PeriodField = lazyPart(() => import('../ui/list/PeriodField.tsx'));

const periodWords: Readonly<Record<Period | 'custom', PhraseKey>> = {
  today: 'list.today',
  sevenDays: 'list.last7Days',
  thirtyDays: 'list.last30Days',
  custom: 'quality.custom',
};

/** The period and whose figures are shown; the address keeps both. */
export function QualityFilters() {
  const [search, setSearch] = useSearchParams();
  const session = useSession();
  const [isCustom, setCustom] = useState(false);
  const now = instant(Date.now());
  const period = isCustom ? null : periodIn(search, now);
  const change = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    setSearch(next, { replace: true });
  };
  const text = (value: number | undefined) => (value === undefined ? undefined : String(value));
  const idIn = (name: string) => (search.has(name) ? Number(search.get(name)) : undefined);
  return (
    <div className={styles.filters}>
      <Segmented<Period | 'custom'>
        aria-label={phrase('quality.period')}
        value={period ?? 'custom'}
        options={[...periodNames, 'custom' as const].map((value) => ({ value, label: phrase(periodWords[value]) }))}
        onChange={(value) => {
          setCustom(value === 'custom');
          if (value !== 'custom') change({ ...lastDays(periods[value], now), to: undefined });
        }}
      />
      {period === null ? (
        <div className={styles.filter}>
          <Suspense fallback={<Skeleton.Input active />}>
            <PeriodField
              label={phrase('quality.period')}
              from={search.get('from') ?? undefined}
              to={search.get('to') ?? undefined}
              onChange={(from, to) => change({ from, to })}
            />
          </Suspense>
        </div>
      ) : null}
      <div className={styles.filter}>
        <RecordSelect
          label={phrase('quality.site')}
          choices={recordChoices.site}
          optional
          value={idIn('siteId')}
          onChange={(siteId) => change({ siteId: text(siteId) })}
        />
      </div>
      {seesAgents(session) ? (
        <div className={styles.filter}>
          <RecordSelect
            label={phrase('quality.agent')}
            choices={recordChoices.agent}
            optional
            value={idIn('agentId')}
            onChange={(agentId) => change({ agentId: text(agentId) })}
          />
        </div>
      ) : null}
      <div className={styles.filter}>
        <RegionFilter
          label={phrase('quality.region')}
          value={search.get('regionCode') ?? undefined}
          onChange={(regionCode) => change({ regionCode })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          aria-label={phrase('quality.equipment')}
          prefix={<span className="field-label">{phrase('quality.equipment')}</span>}
          style={{ width: '100%' }}
          allowClear
          value={search.get('equipmentType')}
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
          value={startModesIn(search)}
          options={attemptModes.map((value) => ({ value, label: phrase(`start-mode.${value}`) }))}
          onChange={(values) => change({ startMode: values.length === 0 ? undefined : values.join(',') })}
        />
      </div>
    </div>
  );
}
