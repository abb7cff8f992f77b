import {
  type AgentWithdrawal,
  getAgentWithdrawal,
  getPartyIncome,
  listAgentWithdrawals,
  returnAgentWithdrawal,
} from '@voltdeck/contract/agent-withdrawals';
import { getAgent, listAgents } from '@voltdeck/contract/agents';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { withdrawal: AgentWithdrawal; open: boolean; onClose: () => void; onSaved: () => void };

/** Records that a payment came back; its whole amount returns to the balance. */
export default function ReturnAgentWithdrawalForm({ withdrawal, open, onClose, onSaved }: Props) {
  const { id, number, amountFen, partyName } = withdrawal;
  return (
    <RouteForm
      as="dialog"
      danger
      route={returnAgentWithdrawal}
      params={{ id }}
      title={phrase('agent-withdrawals.returnTitle', { number })}
      submitLabel={phrase('agent-withdrawals.return')}
      intro={<p>{phrase('agent-withdrawals.returnIntro', { amount: moneyText(amountFen), name: partyName })}</p>}
      fields={{ reason: { label: 'agent-withdrawals.reason', rows: 3 } }}
      refreshes={[listAgentWithdrawals, getAgentWithdrawal, getPartyIncome, listAgents, getAgent]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
