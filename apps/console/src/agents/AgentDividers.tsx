import { listDividers } from '@voltdeck/contract/dividers';
import type { AgentId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { moneyText, nothingText } from '../ui/figures.ts';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { shownMax } from './shown-max.ts';

/** Who gets a part of what the agent has left. */
export function AgentDividers({ id }: { id: AgentId }) {
  const answer = useAnswer(listDividers, { query: { agentId: id, pageSize: shownMax } });
  return (
    <LatestPanel
      title={phrase('agents.dividers')}
      width="whole"
      all={
        <ScreenLink screen="accountChildren" query={{ agentId: id }}>
          {phrase('agents.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('agents.noDividers')}
      heads={[
        {
          title: phrase('agents.dividerName'),
          isWords: true,
          cell: (divider) => (
            <ScreenLink screen="dividerDetail" query={{ id: divider.id }}>
              {divider.name}
            </ScreenLink>
          ),
        },
        {
          title: phrase('agents.state'),
          cell: ({ enabled }) => (
            <StateTag tone={enabledTone(enabled)}>
              {phrase(enabled ? 'station-state.enabled' : 'station-state.disabled')}
            </StateTag>
          ),
        },
        {
          title: phrase('agents.dividerElectricity'),
          isRight: true,
          cell: ({ electricityRates }) => electricityRates ?? nothingText,
        },
        {
          title: phrase('agents.dividerService'),
          isRight: true,
          cell: ({ serviceRates }) => serviceRates ?? nothingText,
        },
        {
          title: phrase('agents.dividerIncome'),
          isRight: true,
          cell: ({ incomeFen }) => moneyText(incomeFen),
        },
        { title: phrase('agents.dividerUnpaid'), isRight: true, cell: ({ unpaidFen }) => moneyText(unpaidFen) },
        { title: phrase('agents.dividerEntered'), cell: ({ enteredOn }) => enteredOn },
      ]}
    />
  );
}
