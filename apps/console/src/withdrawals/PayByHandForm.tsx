import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { getWithdrawal, listWithdrawals, payWithdrawalByHand, type Withdrawal } from '@voltdeck/contract/withdrawals';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { payeeOf } from './withdrawal-words.ts';

type Props = { withdrawal: Withdrawal; open: boolean; onClose: () => void; onSaved: (withdrawal: Withdrawal) => void };

/** Records that a person has paid a withdrawal, with the number that proves it. */
export default function PayByHandForm({ withdrawal, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={payWithdrawalByHand}
      params={{ id: withdrawal.id }}
      title={phrase('withdrawals.byHandTitle', { number: withdrawal.number })}
      submitLabel={phrase('withdrawals.byHand')}
      intro={
        <p>
          {phrase('withdrawals.byHandIntro', { name: payeeOf(withdrawal), payout: moneyText(withdrawal.payoutFen) })}
        </p>
      }
      fields={{
        receipt: { label: 'withdrawals.receipt', hint: 'withdrawals.receiptHint' },
        remark: { label: 'withdrawals.remark', rows: 2 },
      }}
      refreshes={[listWithdrawals, getWithdrawal, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
