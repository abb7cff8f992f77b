import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { listRecharges, type Recharge, reverseRecharge } from '@voltdeck/contract/payments';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { targetName } from './target-name.ts';

type Props = { recharge: Recharge; open: boolean; onClose: () => void; onSaved: (recharge: Recharge) => void };

/** Undoes a recharge that was entered by mistake; the button shows how much. */
export default function ReverseRechargeForm({ recharge, open, onClose, onSaved }: Props) {
  const amount = moneyText(recharge.amountFen);
  return (
    <RouteForm
      as="dialog"
      danger
      route={reverseRecharge}
      params={{ id: recharge.id }}
      title={phrase('recharges.reverseTitle', { number: recharge.number })}
      submitLabel={phrase('recharges.reverseVerb', { amount })}
      intro={<p>{phrase('recharges.reverseIntro', { target: targetName(recharge), amount })}</p>}
      fields={{ reason: { label: 'recharges.reverseReason', rows: 3 } }}
      refreshes={[listRecharges, listCards, getCard, listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
