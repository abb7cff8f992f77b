import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import {
  getWithdrawal,
  listWithdrawals,
  stateWithdrawalOutcome,
  type Withdrawal,
} from '@voltdeck/contract/withdrawals';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { outcomesOf } from './withdrawal-words.ts';

type Props = { withdrawal: Withdrawal; open: boolean; onClose: () => void; onSaved: () => void };

/** States what became of a payout, as a person found it at the channel. */
export default function StateOutcomeForm({ withdrawal, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={stateWithdrawalOutcome}
      params={{ id: withdrawal.id }}
      title={phrase('withdrawals.outcomeTitle', { number: withdrawal.number })}
      submitLabel={phrase('withdrawals.outcome')}
      intro={<p>{phrase('withdrawals.outcomeIntro', { payout: moneyText(withdrawal.payoutFen) })}</p>}
      fields={{
        outcome: {
          label: 'withdrawals.outcomeOf',
          options: outcomesOf(withdrawal).map((value) => ({ value, label: phrase(`withdrawal-outcome.${value}`) })),
        },
        reason: { label: 'withdrawals.outcomeReason', rows: 3 },
      }}
      refreshes={[listWithdrawals, getWithdrawal, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
