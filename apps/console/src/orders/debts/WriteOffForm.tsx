import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { type Debt, listDebts, writeOffDebt } from '@voltdeck/contract/debts';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { phrase } from '../../phrases.ts';
import { moneyText } from '../../ui/figures.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';

type Props = {
  debt: Pick<Debt, 'id' | 'number' | 'owedFen'>;
  open: boolean;
  onClose: () => void;
  onSaved: (said: string) => void;
};

/** Gives up what is owed for an order; the button shows how much. */
export default function WriteOffForm({ debt, open, onClose, onSaved }: Props) {
  const { number, owedFen } = debt;
  const owed = moneyText(owedFen);
  return (
    <RouteForm
      as="dialog"
      danger
      route={writeOffDebt}
      params={{ id: debt.id }}
      title={phrase('debts.writeOffTitle', { number })}
      submitLabel={phrase('debts.writeOffVerb', { owed })}
      intro={<p>{phrase('debts.writeOffIntro', { owed })}</p>}
      fields={{ reason: { label: 'debts.reason', rows: 3 } }}
      refreshes={[listDebts, listOrders, getOrder, listCustomers, getCustomer, listCards, getCard]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('debts.writtenOff', { owed, number }))}
    />
  );
}
