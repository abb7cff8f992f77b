import { getStation, type Station } from '@voltdeck/contract/stations';
import { Drawer, Skeleton } from 'antd';
import { useConsoleEvents } from '../api/events.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { onlineTone } from '../ui/state-colours.ts';
import { StationControl } from './StationControl.tsx';

const widthPx = 860;
const refetchGapMs = 2_000;

/** Remote control of one station, opened from the list. */
export default function StationControlDrawer({
  station,
  open,
  onClose,
}: {
  station: Station;
  open: boolean;
  onClose: () => void;
}) {
  const question = { params: { id: station.id } };
  const answer = useAnswer(getStation, question, { enabled: open });
  const askAgain = useAskAgain(getStation, question, refetchGapMs);
  useConsoleEvents('connector-changed', (event) => {
    if (event.stationId === station.id) askAgain();
  });
  useConsoleEvents('station-changed', (event) => {
    if (event.stationId === station.id) askAgain();
  });
  const online = answer.data?.online ?? station.online;
  return (
    <Drawer
      title={
        <>
          {phrase('stations.controlTitle', { name: station.name })}{' '}
          <StateTag tone={onlineTone(online)}>
            {phrase(online ? 'station-state.online' : 'station-state.offline')}
          </StateTag>
        </>
      }
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <StationControl station={answer.data} />
      )}
    </Drawer>
  );
}
