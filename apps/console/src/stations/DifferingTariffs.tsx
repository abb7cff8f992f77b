import { listStations } from '@voltdeck/contract/stations';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';

/** How many stations price by another tariff than the one they should run, and the way to them. */
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
          <Link to="/deviceList?tariffState=differs">{phrase('stations.tariffsShow')}</Link>
        </>
      }
    />
  );
}
