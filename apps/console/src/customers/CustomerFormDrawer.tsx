import { type Customer, createCustomer, listCustomers } from '@voltdeck/contract/customers';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { open: boolean; onClose: () => void; onSaved: (customer: Customer) => void };

/** Adds a registered user. */
export default function CustomerFormDrawer({ open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createCustomer}
      title={phrase('customers.addTitle')}
      submitLabel={phrase('customers.add')}
      draft="customer add"
      fields={{
        phone: { label: 'customers.phone', hint: 'customers.phoneHint' },
        nickname: { label: 'customers.nickname' },
      }}
      fieldOf={{ 'customer.phone_taken': 'phone' }}
      refreshes={[listCustomers]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
