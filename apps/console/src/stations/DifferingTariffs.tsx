import { listStations } from '@voltdeck/contract/stations';
import { Alert } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';

/** The number of stations that run another tariff than they should, with a link to them. */
export function DifferingTariffs() {
  const answer = useAnswer(listStations, { query: { tariffState: ['differs'], pageSize: 10 } });
  const count = answer.data?.total ?? 0;
  if (count === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={
        <>
          {phrase('stations.tariffsDiffer', { count })}{' '}
          <ScreenLink screen="deviceList" query={{ tariffState: ['differs'] }}>
            {phrase('stations.tariffsShow')}
          </ScreenLink>
        </>
      }
    />
  );
}
