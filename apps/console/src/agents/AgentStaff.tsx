import { listUsers, type UserKind } from '@voltdeck/contract/users';
import type { AgentId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { shownMax } from './shown-max.ts';

/** The accounts of its dividers are not those of its people. */
const staffKinds: UserKind[] = ['added', 'registered'];

/** Everybody who may sign in for the agent. */
export function AgentStaff({ id }: { id: AgentId }) {
  const answer = useAnswer(listUsers, { query: { agentId: id, kind: staffKinds, pageSize: shownMax } });
  return (
    <LatestPanel
      title={phrase('agents.staff')}
      width="whole"
      all={
        <ScreenLink screen="user" query={{ agentId: id, kind: staffKinds }}>
          {phrase('agents.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('agents.noStaff')}
      heads={[
        { title: phrase('agents.userName'), cell: ({ userName }) => <CopyNumber value={userName} /> },
        { title: phrase('agents.staffName'), isWords: true, cell: ({ realName }) => realName },
        { title: phrase('agents.phone'), cell: ({ phone }) => phone ?? nothingText },
        { title: phrase('agents.position'), isWords: true, cell: ({ positionName }) => positionName ?? nothingText },
        {
          title: phrase('agents.state'),
          cell: ({ enabled }) => (
            <StateTag tone={enabledTone(enabled)}>
              {phrase(enabled ? 'station-state.enabled' : 'station-state.disabled')}
            </StateTag>
          ),
        },
        {
          title: phrase('agents.lastLogin'),
          cell: ({ lastLoginAt }) =>
            lastLoginAt === null ? phrase('agents.neverSignedIn') : <Instant at={lastLoginAt} />,
        },
      ]}
    />
  );
}
