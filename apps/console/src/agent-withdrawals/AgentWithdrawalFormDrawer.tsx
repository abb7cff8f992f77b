import {
  type AgentWithdrawal,
  type AgentWithdrawalTerms,
  createAgentWithdrawal,
  getAgentWithdrawal,
  getAgentWithdrawalTerms,
  getPartyIncome,
  listAgentWithdrawals,
} from '@voltdeck/contract/agent-withdrawals';
import { getAgent, listAgents } from '@voltdeck/contract/agents';
import type { DividerId } from '@voltdeck/units/id';
import { type Fen, fen, minFen as least, subtractFen } from '@voltdeck/units/money';
import { Alert } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { countText, moneyText, yuanText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { Payee } from './Payee.tsx';

type Props = {
  /** The divider that the money is of; otherwise it is the caller’s own. */
  dividerId?: DividerId | undefined;
  open: boolean;
  onClose: () => void;
  onSaved: (withdrawal: AgentWithdrawal) => void;
};

/** Applies for the own balance or that of a divider. It says what can be withdrawn, what it costs and where it is paid. */
export default function AgentWithdrawalFormDrawer({ dividerId, open, onClose, onSaved }: Props) {
  const { data: terms } = useAnswer(
    getAgentWithdrawalTerms,
    { query: dividerId === undefined ? {} : { dividerId } },
    { enabled: open, staleMs: 0 },
  );
  return (
    <RouteForm
      route={createAgentWithdrawal}
      given={dividerId === undefined ? {} : { dividerId }}
      title={phrase('agent-withdrawals.add')}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('agent-withdrawals.add')
          : phrase('agent-withdrawals.addVerb', { amount: moneyText(amountFen) })
      }
      draft={`agent-withdrawal add ${dividerId ?? ''}`}
      intro={terms === undefined ? null : <Where terms={terms} />}
      fields={{
        amountFen: {
          label: 'agent-withdrawals.amount',
          hint: () => (terms === undefined ? undefined : noteOf(terms)),
          check: (amountFen) => (terms === undefined ? null : whyNot(terms, amountFen)),
        },
        remark: { label: 'agent-withdrawals.remark', rows: 2 },
      }}
      fieldOf={{
        'withdrawal.out_of_range': 'amountFen',
        'withdrawal.below_fee': 'amountFen',
        'agent_withdrawal.too_little': 'amountFen',
      }}
      refreshes={[
        listAgentWithdrawals,
        getAgentWithdrawal,
        getAgentWithdrawalTerms,
        getPartyIncome,
        listAgents,
        getAgent,
      ]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ amountFen }) =>
        terms === undefined || amountFen === undefined || amountFen <= 0 ? null : (
          <Outcome terms={terms} amountFen={amountFen} />
        )
      }
    </RouteForm>
  );
}

function Where({ terms: { payee, partyName, leftToday } }: { terms: AgentWithdrawalTerms }) {
  if (payee === null) {
    return <Alert type="warning" role="status" title={phrase('error.agent_withdrawal.no_account')} />;
  }
  return (
    <>
      <p>{phrase('agent-withdrawals.addIntro', { name: partyName, left: countText(leftToday) })}</p>
      <Payee account={payee} number={payee.payeeAccount} />
    </>
  );
}

function noteOf({ balanceFen, minFen }: AgentWithdrawalTerms): string {
  return phrase('agent-withdrawals.addNote', { balance: moneyText(balanceFen), min: moneyText(minFen) });
}

function whyNot({ balanceFen, minFen }: AgentWithdrawalTerms, amountFen: Fen): string | null {
  if (amountFen >= minFen && amountFen <= balanceFen) return null;
  const [balance, min] = [yuanText(balanceFen), yuanText(minFen)];
  return balanceFen < minFen
    ? phrase('error.agent_withdrawal.too_little', { balance, min })
    : phrase('error.withdrawal.out_of_range', { min, max: balance });
}

function Outcome({ terms: { feeBp }, amountFen }: { terms: AgentWithdrawalTerms; amountFen: Fen }) {
  const feeFen = least(amountFen, fen(Math.round((amountFen * feeBp) / 10_000)));
  const told = { fee: moneyText(feeFen), payout: moneyText(subtractFen(amountFen, feeFen)) };
  return <Alert type="info" role="status" title={phrase('agent-withdrawals.preview', told)} />;
}
