import { energyDays, getStationEnergy } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import { Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { countText, energyText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './station-energy.module.css';
import page from './stations.module.css';

type Days = (typeof energyDays)[number];

/** A station's energy today by the hour, or over the last days, as bars or as a table. */
export function StationEnergy({ stationId }: { stationId: StationId }) {
  const [days, setDays] = useState<Days>('7');
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const answer = useAnswer(getStationEnergy, { params: { id: stationId }, query: { days } });
  const stretches = answer.data?.stretches ?? [];
  const mostWh = Math.max(1, ...stretches.map(({ energyWh }) => energyWh));
  const sumWh = stretches.reduce((sum, { energyWh }) => sum + energyWh, 0);
  const nameOf = (from: string) => {
    const text = isoDateTime(from) ?? '';
    return answer.data?.by === 'hour' ? text.slice(11, 16) : text.slice(5, 10);
  };
  return (
    <Panel
      title={phrase('stations.energy')}
      note={answer.data === undefined ? undefined : `${energyText(sumWh)} kWh`}
      tools={
        <>
          <Segmented<Days>
            size="small"
            aria-label={phrase('stations.energyPeriod')}
            value={days}
            onChange={setDays}
            options={energyDays.map((value) => ({ value, label: phrase(`stations.energyDays.${value}`) }))}
          />{' '}
          <Segmented
            size="small"
            aria-label={phrase('stations.view')}
            value={shown}
            onChange={setShown}
            options={[
              { value: 'chart', label: phrase('stations.energyAsChart') },
              { value: 'table', label: phrase('stations.asTable') },
            ]}
          />
        </>
      }
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 4 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : sumWh === 0 ? (
        <EmptyState title={phrase('stations.noEnergy')} />
      ) : shown === 'chart' ? (
        <ol className={styles.bars} aria-label={phrase('stations.energy')}>
          {stretches.map(({ from, energyWh, charges }) => {
            const told = phrase('stations.energyOf', {
              when: nameOf(from),
              energy: energyText(energyWh),
              count: charges,
            });
            return (
              <li key={from} className={styles.bar} title={told}>
                <span className="for-readers">{told}</span>
                <span className={styles.track} aria-hidden="true">
                  <span className={styles.fill} style={{ height: `${(energyWh / mostWh) * 100}%` }} />
                </span>
                <span className={styles.name} aria-hidden="true">
                  {nameOf(from)}
                </span>
              </li>
            );
          })}
        </ol>
      ) : (
        <ScrollRegion label={phrase('stations.energy')}>
          <table className={page.figures}>
            <thead>
              <tr>
                <th scope="col">{phrase('stations.energyWhen')}</th>
                <th scope="col" className={page.right}>{`${phrase('orders.energy')} (kWh)`}</th>
                <th scope="col" className={page.right}>
                  {phrase('stations.energyCharges')}
                </th>
              </tr>
            </thead>
            <tbody>
              {stretches.map(({ from, energyWh, charges }) => (
                <tr key={from}>
                  <td>{nameOf(from)}</td>
                  <td className={page.right}>{energyText(energyWh)}</td>
                  <td className={page.right}>{countText(charges)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {answer.data?.isPartial === true ? <p className={page.quiet}>{phrase('stations.energyPartial')}</p> : null}
    </Panel>
  );
}
