import { type Customer, enableCustomer, getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { customer: Customer; open: boolean; onClose: () => void; onSaved: (customer: Customer) => void };

/** Disables a registered user; it says in figures what that stops and what goes on. */
export default function DisableCustomerForm({ customer, open, onClose, onSaved }: Props) {
  const { id, nickname, balanceFen, cardBalanceFen } = customer;
  const { data } = useAnswer(getCustomer, { params: { id } }, { staleMs: 0 });
  return (
    <RouteForm
      as="dialog"
      danger
      route={enableCustomer}
      params={{ id }}
      given={{ enabled: false }}
      title={phrase('customers.disableTitle', { name: nickname })}
      submitLabel={phrase('customers.disable')}
      intro={
        data === undefined ? null : (
          <>
            <p>{phrase('customers.disableStops', { cards: data.cards })}</p>
            <p>{phrase('customers.disableRunning', { running: data.runningCharges })}</p>
            <p>
              {phrase('customers.disableKeeps', {
                balance: moneyText(balanceFen),
                cardBalance: moneyText(cardBalanceFen),
              })}
            </p>
          </>
        )
      }
      fields={{ reason: { label: 'customers.stateReason', rows: 2 } }}
      refreshes={[listCustomers, getCustomer]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
