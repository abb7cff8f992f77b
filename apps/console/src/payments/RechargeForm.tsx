import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import {
  createRecharge,
  findRechargeTargets,
  listRecharges,
  type Recharge,
  type RechargeTarget,
} from '@voltdeck/contract/payments';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { balanceAfter } from './balance-after.ts';
import { Figure } from './Figure.tsx';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

type Props = {
  target: RechargeTarget;
  /** What the agent can still pay recharges from; null for the platform. */
  prepaidFen: Fen | null;
  open: boolean;
  onClose: () => void;
  onDone: (recharge: Recharge) => void;
};

/** Puts money on a card or a registered user. It says what the balance will be, and the button says how much. */
export default function RechargeForm({ target, prepaidFen, open, onClose, onDone }: Props) {
  const name = targetName(target);
  const { cardId, customerId } = target;
  return (
    <RouteForm
      as="dialog"
      route={createRecharge}
      given={cardId === null ? { customerId: customerId ?? undefined } : { cardId }}
      title={phrase('recharges.formTitle', { target: name })}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('recharges.submitEmpty')
          : phrase('recharges.submit', { amount: moneyText(amountFen) })
      }
      intro={<Balances target={target} />}
      fields={{
        amountFen: {
          label: 'recharges.amountLabel',
          check: (amountFen) =>
            prepaidFen === null || amountFen <= prepaidFen
              ? null
              : phrase('recharges.prepaidShort', { amount: moneyText(prepaidFen) }),
        },
        remark: { label: 'recharges.remark', rows: 2 },
      }}
      fieldOf={{ 'agent.prepaid_too_low': 'amountFen' }}
      refreshes={[listRecharges, listCards, getCard, listCustomers, getCustomer, findRechargeTargets]}
      open={open}
      onClose={onClose}
      onSaved={onDone}
    >
      {({ amountFen }) =>
        amountFen === undefined || amountFen <= 0 ? null : (
          <Outcome target={target} amountFen={amountFen} prepaidFen={prepaidFen} name={name} />
        )
      }
    </RouteForm>
  );
}

/** What is on it now. */
function Balances({ target }: { target: RechargeTarget }) {
  const { balanceFen, heldFen, owedFen } = target;
  return (
    <dl className={styles.balances}>
      <Figure label={phrase('recharges.balance')} amountFen={balanceFen} />
      <Figure label={phrase('recharges.held')} amountFen={heldFen} />
      <Figure label={phrase('recharges.owed')} amountFen={owedFen} />
    </dl>
  );
}

type OutcomeProps = Pick<Props, 'target' | 'prepaidFen'> & { amountFen: Fen; name: string };

/** What will be on it. */
function Outcome({ target, amountFen, prepaidFen, name }: OutcomeProps) {
  const { repaidFen, afterFen } = balanceAfter(target, amountFen);
  return (
    <div className={styles.outcome} role="status">
      <strong>{phrase('recharges.question', { target: name, amount: moneyText(amountFen) })}</strong>
      <span>
        {phrase('recharges.questionDetails', { before: moneyText(target.balanceFen), after: moneyText(afterFen) })}
      </span>
      {repaidFen === 0 ? null : <span>{phrase('recharges.questionRepaid', { amount: moneyText(repaidFen) })}</span>}
      {prepaidFen === null || prepaidFen < amountFen ? null : (
        <span>{phrase('recharges.prepaidLeft', { amount: moneyText(subtractFen(prepaidFen, amountFen)) })}</span>
      )}
    </div>
  );
}
