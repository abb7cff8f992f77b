import { getCard, listCards } from '@voltdeck/contract/cards';
import { type Customer, getCustomer, listCustomers, mergeCustomer } from '@voltdeck/contract/customers';
import { listOrders } from '@voltdeck/contract/orders';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';

type Props = { customer: Customer; open: boolean; onClose: () => void; onSaved: (customer: Customer) => void };

/** Merges a second record of one person into another; it says in figures what goes over. */
export default function MergeCustomerForm({ customer, open, onClose, onSaved }: Props) {
  const { id, nickname, phone, paidFen, giftFen } = customer;
  const { data } = useAnswer(getCustomer, { params: { id } }, { staleMs: 0 });
  return (
    <RouteForm
      danger
      route={mergeCustomer}
      params={{ id }}
      title={phrase('customers.mergeTitle', { name: nickname, phone })}
      submitLabel={phrase('customers.merge')}
      intro={
        data === undefined ? null : (
          <>
            <p>
              {phrase('customers.mergeMoves', {
                paid: moneyText(paidFen),
                gift: moneyText(giftFen),
                cards: data.cards,
                cardBalance: moneyText(data.cardBalanceFen),
                vehicles: data.vehicles,
              })}
            </p>
            <p>{phrase('customers.mergeKeeps')}</p>
          </>
        )
      }
      fields={{
        intoId: {
          label: 'customers.mergeInto',
          hint: 'customers.mergeIntoHint',
          choices: recordChoices.customer,
          check: (intoId) => (intoId === id ? phrase('error.customer.same') : null),
        },
        reason: { label: 'customers.stateReason', rows: 3 },
      }}
      fieldOf={{ 'customer.same': 'intoId', 'customer.disabled': 'intoId' }}
      refreshes={[listCustomers, getCustomer, listCards, getCard, listOrders]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
