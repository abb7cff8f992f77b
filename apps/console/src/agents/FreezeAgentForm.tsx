import { type Agent, freezeAgent, getAgent, listAgents } from '@voltdeck/contract/agents';
import { listUsers } from '@voltdeck/contract/users';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { countText, moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { agent: Agent; open: boolean; onClose: () => void; onSaved: (agent: Agent) => void };

/** Freezes an agent; it says in figures what that stops and what goes on. */
export default function FreezeAgentForm({ agent, open, onClose, onSaved }: Props) {
  const { data } = useAnswer(getAgent, { params: { id: agent.id } }, { staleMs: 0 });
  return (
    <RouteForm
      as="dialog"
      danger
      route={freezeAgent}
      params={{ id: agent.id }}
      title={phrase('agents.freezeTitle', { name: agent.realName })}
      submitLabel={phrase('agents.freeze')}
      intro={
        data === undefined ? null : (
          <>
            <p>{phrase('agents.freezeStops', { staff: countText(data.staff), sessions: countText(data.sessions) })}</p>
            <p>
              {phrase('agents.freezeGoesOn', {
                stations: countText(data.stationCount),
                running: countText(data.runningCharges),
              })}
            </p>
            {data.openWithdrawals === 0 ? null : (
              <p>
                {phrase('agents.freezeHolds', {
                  count: countText(data.openWithdrawals),
                  amount: moneyText(data.frozenFen),
                })}
              </p>
            )}
          </>
        )
      }
      fields={{ reason: { label: 'agents.frozenReason', rows: 2 } }}
      refreshes={[listAgents, getAgent, listUsers]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
