import {
  type AgentWithdrawal,
  agentWithdrawalWays,
  getAgentWithdrawal,
  getAgentWithdrawalPayee,
  getPartyIncome,
  listAgentWithdrawals,
  payAgentWithdrawal,
} from '@voltdeck/contract/agent-withdrawals';
import { getAgent, listAgents } from '@voltdeck/contract/agents';
import { Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { Payee } from './Payee.tsx';

type Props = {
  withdrawal: AgentWithdrawal;
  open: boolean;
  onClose: () => void;
  onSaved: (withdrawal: AgentWithdrawal) => void;
};

/** Shows the whole account to who pays, and records the payment with the number of the bank's receipt. */
export default function PayAgentWithdrawalForm({ withdrawal, open, onClose, onSaved }: Props) {
  const { id, number, payoutFen } = withdrawal;
  const payee = useAnswer(getAgentWithdrawalPayee, { params: { id } }, { enabled: open, staleMs: 0 });
  return (
    <RouteForm
      as="dialog"
      route={payAgentWithdrawal}
      params={{ id }}
      title={phrase('agent-withdrawals.payTitle', { number })}
      submitLabel={phrase('agent-withdrawals.payVerb', { payout: moneyText(payoutFen) })}
      intro={
        <>
          <p>{phrase('agent-withdrawals.payIntro', { payout: moneyText(payoutFen) })}</p>
          {payee.isPending ? <Skeleton active paragraph={{ rows: 3 }} /> : null}
          {payee.isError ? <ErrorState failure={payee.error} retry={() => void payee.refetch()} /> : null}
          {payee.data === undefined ? null : <Payee account={payee.data} number={payee.data.account} />}
        </>
      }
      initial={{ way: 'bank' }}
      fields={{
        way: {
          label: 'agent-withdrawals.way',
          options: agentWithdrawalWays.map((way) => ({ value: way, label: phrase(`agent-withdrawal-way.${way}`) })),
        },
        receipt: { label: 'agent-withdrawals.receipt', hint: 'agent-withdrawals.receiptHint' },
        remark: { label: 'agent-withdrawals.remark', rows: 2 },
      }}
      refreshes={[listAgentWithdrawals, getAgentWithdrawal, getPartyIncome, listAgents, getAgent]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
