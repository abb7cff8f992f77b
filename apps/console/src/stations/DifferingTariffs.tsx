import { listStations } from '@voltdeck/contract/stations';
import { Alert } from 'antd';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { opened } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';

const differing = { tariffState: ['differs' as const] };

/** The number of stations that run another tariff than they should, with links to them and to the command for them. */
export function DifferingTariffs() {
  const can = useCan();
  const answer = useAnswer(listStations, { query: { ...differing, pageSize: 10 } });
  const count = answer.data?.total ?? 0;
  if (count === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={
        <>
          {phrase('stations.tariffsDiffer', { count })}{' '}
          <ScreenLink screen="deviceList" query={differing}>
            {phrase('stations.tariffsShow')}
          </ScreenLink>
          {can('station.command') ? (
            <>
              {' · '}
              <Link to={opened('deviceList', 'commandAll', { kind: 'set-tariff' }, differing).address}>
                {phrase('command.set-tariff')}
              </Link>
            </>
          ) : null}
        </>
      }
    />
  );
}
