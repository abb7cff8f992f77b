import { type Agent, getAgent, listAgents, resetAgentPassword } from '@voltdeck/contract/agents';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { agent: Agent; open: boolean; onClose: () => void; onReset: (password: string) => void };

/** Gives the main account of an agent a new initial password. */
export default function ResetAgentForm({ agent, open, onClose, onReset }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={resetAgentPassword}
      params={{ id: agent.id }}
      title={phrase('agents.resetQuestion', { name: agent.realName })}
      submitLabel={phrase('agents.reset')}
      intro={<p>{phrase('agents.resetDetails', { loginName: agent.loginName ?? '' })}</p>}
      fields={{}}
      refreshes={[listAgents, getAgent]}
      open={open}
      onClose={onClose}
      onSaved={({ initialPassword }) => onReset(initialPassword)}
    />
  );
}
