import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { getWithdrawal, listWithdrawals, reviewWithdrawals, type Withdrawal } from '@voltdeck/contract/withdrawals';
import { addFen, fen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  withdrawals: readonly Withdrawal[];
  open: boolean;
  onClose: () => void;
  onRejected: (told: string) => void;
};

/** Rejects one or more applications with a reason; it says what returns to their users. */
export default function RejectWithdrawalsForm({ withdrawals, open, onClose, onRejected }: Props) {
  const amountFen = addFen(fen(0), ...withdrawals.map((withdrawal) => withdrawal.amountFen));
  const giftFen = addFen(fen(0), ...withdrawals.map((withdrawal) => withdrawal.giftFen));
  return (
    <RouteForm
      as="dialog"
      danger
      route={reviewWithdrawals}
      given={{ ids: withdrawals.map(({ id }) => id), decision: 'reject' as const }}
      title={phrase('withdrawals.rejectTitle', { count: withdrawals.length })}
      submitLabel={phrase('withdrawals.reject')}
      intro={<p>{phrase('withdrawals.rejectIntro', { amount: moneyText(amountFen), gift: moneyText(giftFen) })}</p>}
      fields={{ reason: { label: 'withdrawals.reason', rows: 3, requiredIf: () => true } }}
      fieldOf={{ 'review.reason_required': 'reason' }}
      refreshes={[listWithdrawals, getWithdrawal, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={({ decided, unasked }) =>
        onRejected(
          unasked === 0
            ? phrase('withdrawals.rejected', { count: decided })
            : phrase('withdrawals.rejectedInPart', { count: decided, unasked }),
        )
      }
    />
  );
}
