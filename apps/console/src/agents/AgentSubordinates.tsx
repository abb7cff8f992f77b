import { listAgents } from '@voltdeck/contract/agents';
import type { AgentId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { countText, percentText } from '../ui/figures.ts';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { agentTones } from '../ui/state-colours.ts';
import { shownMax } from './shown-max.ts';

/** The agents directly below. */
export function AgentSubordinates({ id }: { id: AgentId }) {
  const answer = useAnswer(listAgents, { query: { parentId: id, pageSize: shownMax } });
  return (
    <LatestPanel
      title={phrase('agents.subordinates')}
      width="whole"
      all={
        <ScreenLink screen="operatorList" query={{ parentId: id }}>
          {phrase('agents.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('agents.noSubordinates')}
      heads={[
        {
          title: phrase('agents.realName'),
          isWords: true,
          cell: (agent) => (
            <ScreenLink screen="childrenAccount" query={{ id: agent.id }}>
              {agent.realName}
            </ScreenLink>
          ),
        },
        {
          title: phrase('agents.state'),
          cell: ({ state }) => <StateTag tone={agentTones[state]}>{phrase(`agent-state.${state}`)}</StateTag>,
        },
        { title: phrase('agents.share'), isRight: true, cell: ({ sharePercent }) => percentText(sharePercent) },
        { title: phrase('agents.stations'), isRight: true, cell: ({ stationCount }) => countText(stationCount) },
        { title: phrase('agents.subordinates'), isRight: true, cell: ({ subordinates }) => countText(subordinates) },
      ]}
    />
  );
}
