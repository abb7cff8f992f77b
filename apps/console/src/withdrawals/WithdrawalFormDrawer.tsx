import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import {
  createWithdrawal,
  getWithdrawal,
  getWithdrawalTerms,
  listWithdrawals,
  type Withdrawal,
} from '@voltdeck/contract/withdrawals';
import type { CustomerId } from '@voltdeck/units/id';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { Alert, Form } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { moneyText, yuanText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { type Terms, termsOf } from './withdrawal-terms.ts';
import { isByChannel } from './withdrawal-words.ts';

type Props = {
  given: { customerId?: CustomerId | undefined };
  open: boolean;
  onClose: () => void;
  onSaved: (withdrawal: Withdrawal) => void;
};

/** Applies for a registered user. It says what can be withdrawn, what it costs and which gifts go with it. */
export default function WithdrawalFormDrawer({ given, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm();
  const customerId = Form.useWatch<CustomerId | undefined>('customerId', form) ?? given.customerId;
  const { data: terms } = useAnswer(
    getWithdrawalTerms,
    { query: { customerId: customerId ?? (0 as CustomerId) } },
    { enabled: open && customerId !== undefined },
  );
  return (
    <RouteForm
      form={form}
      route={createWithdrawal}
      title={phrase('withdrawals.addTitle')}
      submitLabel={phrase('withdrawals.add')}
      draft="withdrawal add"
      initial={{ ...given, way: 'bank' }}
      fields={{
        customerId: { label: 'withdrawals.customer', requiredIf: () => true },
        amountFen: {
          label: 'withdrawals.amount',
          hint: () => (terms === undefined ? undefined : noteOf(terms)),
          check: (amountFen) => (terms === undefined ? null : whyNot(terms, amountFen)),
        },
        way: {
          label: 'withdrawals.way',
          hint: 'withdrawals.wayHint',
          word: (way) => phrase(`withdrawal-way.${way}`),
          options: terms?.ways.map((way) => ({ value: way, label: phrase(`withdrawal-way.${way}`) })),
        },
        payeeAccount: {
          label: 'withdrawals.payeeAccount',
          hint: 'withdrawals.payeeAccountHint',
          shownIf: ({ way }) => way !== 'desk',
          requiredIf: ({ way }) => way === 'bank' || (way !== undefined && isByChannel(way)),
        },
        payeeName: { label: 'withdrawals.payeeName', shownIf: ({ way }) => way !== 'desk' },
        remark: { label: 'withdrawals.remark', rows: 2 },
      }}
      fieldOf={{
        'withdrawal.out_of_range': 'amountFen',
        'withdrawal.too_little': 'amountFen',
        'withdrawal.below_fee': 'amountFen',
        'withdrawal.play_money': 'amountFen',
        'channel.off': 'way',
      }}
      refreshes={[listWithdrawals, getWithdrawal, getWithdrawalTerms, listCustomers, getCustomer]}
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

function noteOf({ paidFen, minFen, owedFen }: Terms): string {
  if (owedFen > 0) return phrase('withdrawals.addOwes', { owed: moneyText(owedFen) });
  return phrase('withdrawals.addNote', { paid: moneyText(paidFen), min: moneyText(minFen) });
}

function whyNot({ paidFen, minFen }: Terms, amountFen: Fen): string | null {
  if (amountFen >= minFen && amountFen <= paidFen) return null;
  const [paid, min] = [yuanText(paidFen), yuanText(minFen)];
  return paidFen < minFen
    ? phrase('error.withdrawal.too_little', { paid, min })
    : phrase('error.withdrawal.out_of_range', { min, max: paid });
}

function Outcome({ terms, amountFen }: { terms: Terms; amountFen: Fen }) {
  const { giftFen, feeFen } = termsOf(terms, amountFen);
  const told = {
    gift: moneyText(giftFen),
    fee: moneyText(feeFen),
    payout: moneyText(subtractFen(amountFen, feeFen)),
  };
  return <Alert type="info" role="status" title={phrase('withdrawals.preview', told)} />;
}
