import {
  type AgentWithdrawal,
  failAgentWithdrawal,
  getAgentWithdrawal,
  listAgentWithdrawals,
} from '@voltdeck/contract/agent-withdrawals';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  withdrawal: AgentWithdrawal;
  open: boolean;
  onClose: () => void;
  onSaved: (withdrawal: AgentWithdrawal) => void;
};

/** Records that the bank did not pay a passed withdrawal, and why. */
export default function FailAgentWithdrawalForm({ withdrawal, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={failAgentWithdrawal}
      params={{ id: withdrawal.id }}
      title={phrase('agent-withdrawals.failTitle', { number: withdrawal.number })}
      submitLabel={phrase('agent-withdrawals.fail')}
      intro={<p>{phrase('agent-withdrawals.failIntro', { amount: moneyText(withdrawal.amountFen) })}</p>}
      fields={{ reason: { label: 'agent-withdrawals.reason', rows: 3 } }}
      refreshes={[listAgentWithdrawals, getAgentWithdrawal]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
