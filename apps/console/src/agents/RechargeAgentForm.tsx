import { type Agent, type AgentRecharge, getAgent, listAgents, rechargeAgent } from '@voltdeck/contract/agents';
import { addFen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { agent: Agent; open: boolean; onClose: () => void; onSaved: (recharge: AgentRecharge) => void };

/** Books money that an agent prepaid. It asks with the amount and what the prepaid balance comes to. */
export default function RechargeAgentForm({ agent, open, onClose, onSaved }: Props) {
  const confirm = useConfirm();
  const { id, realName: name, prepaidFen } = agent;
  return (
    <RouteForm
      as="dialog"
      route={rechargeAgent}
      params={{ id }}
      draft={`agent recharge ${id}`}
      title={phrase('agents.rechargeTitle', { name })}
      submitLabel={phrase('agents.recharge')}
      intro={<p>{phrase('agents.rechargeIntro', { prepaid: moneyText(prepaidFen) })}</p>}
      fields={{
        amountFen: { label: 'agents.rechargeAmount' },
        reason: { label: 'agents.rechargeReason', hint: 'agents.rechargeReasonHint', rows: 2 },
      }}
      asksFirst={async ({ amountFen }) =>
        amountFen !== undefined &&
        confirm({
          question: phrase('agents.rechargeQuestion', { name, amount: moneyText(amountFen) }),
          details: phrase('agents.rechargeDetails', {
            before: moneyText(prepaidFen),
            after: moneyText(addFen(prepaidFen, amountFen)),
          }),
          verb: phrase('agents.recharge'),
        })
      }
      fieldOf={{ 'recharge.day_limit': 'amountFen' }}
      refreshes={[listAgents, getAgent]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
