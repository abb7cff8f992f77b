import { listStations } from '@voltdeck/contract/stations';
import type { AgentId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { onlineTone } from '../ui/state-colours.ts';
import { shownMax } from './shown-max.ts';

/** The stations that the agent operates. */
export function AgentStations({ id }: { id: AgentId }) {
  const answer = useAnswer(listStations, { query: { agentId: id, pageSize: shownMax } });
  return (
    <LatestPanel
      title={phrase('agents.showStations')}
      width="whole"
      all={
        <ScreenLink screen="deviceList" query={{ agentId: id }}>
          {phrase('agents.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('agents.noStations')}
      heads={[
        {
          title: phrase('agents.stationName'),
          isWords: true,
          cell: (station) => (
            <ScreenLink screen="deviceDetail" query={{ id: station.id }}>
              {station.name}
            </ScreenLink>
          ),
        },
        { title: phrase('agents.stationNumber'), cell: ({ number }) => <CopyNumber value={number} /> },
        { title: phrase('agents.stationSite'), isWords: true, cell: ({ siteName }) => siteName },
        {
          title: phrase('agents.online'),
          cell: ({ online }) => (
            <StateTag tone={onlineTone(online)}>
              {phrase(online ? 'station-state.online' : 'station-state.offline')}
            </StateTag>
          ),
        },
        {
          title: phrase('agents.ports'),
          cell: (station) => <PortTally tally={station.connectors} of={{ stationId: station.id }} />,
        },
      ]}
    />
  );
}
