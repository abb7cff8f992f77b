import {
  type AgentWithdrawal,
  getAgentWithdrawal,
  getPartyIncome,
  listAgentWithdrawals,
  reviewAgentWithdrawals,
} from '@voltdeck/contract/agent-withdrawals';
import { getAgent, listAgents } from '@voltdeck/contract/agents';
import { addFen, fen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  withdrawals: readonly AgentWithdrawal[];
  open: boolean;
  onClose: () => void;
  onRejected: (told: string) => void;
};

/** Rejects one or more applications with a reason; it says what returns to the balances. */
export default function RejectAgentWithdrawalsForm({ withdrawals, open, onClose, onRejected }: Props) {
  const amountFen = addFen(fen(0), ...withdrawals.map((withdrawal) => withdrawal.amountFen));
  const told = { count: withdrawals.length, amount: moneyText(amountFen) };
  const wasPassed = withdrawals.some(({ state }) => state !== 'waiting');
  return (
    <RouteForm
      as="dialog"
      danger
      route={reviewAgentWithdrawals}
      given={{ ids: withdrawals.map(({ id }) => id), decision: 'reject' as const }}
      title={phrase('agent-withdrawals.rejectTitle', told)}
      submitLabel={phrase('agent-withdrawals.reject')}
      intro={
        <>
          <p>{phrase('agent-withdrawals.rejectIntro', told)}</p>
          {wasPassed ? <p>{phrase('agent-withdrawals.rejectPassed')}</p> : null}
        </>
      }
      fields={{ reason: { label: 'agent-withdrawals.reason', rows: 3, requiredIf: () => true } }}
      fieldOf={{ 'review.reason_required': 'reason' }}
      refreshes={[listAgentWithdrawals, getAgentWithdrawal, getPartyIncome, listAgents, getAgent]}
      open={open}
      onClose={onClose}
      onSaved={({ decided }) => onRejected(phrase('agent-withdrawals.rejected', { count: decided }))}
    />
  );
}
