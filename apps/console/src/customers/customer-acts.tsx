import { type Customer, enableCustomer } from '@voltdeck/contract/customers';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { walletActs } from '../payments/transfers/wallet-acts.tsx';
import { walletOfCustomer } from '../payments/transfers/wallet-of.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open them. */
const DisableCustomerForm = lazyPart(() => import('./DisableCustomerForm.tsx'));
const MergeCustomerForm = lazyPart(() => import('./MergeCustomerForm.tsx'));

/** Why a user cannot receive money now. */
function receives({ state }: Customer): string | undefined {
  if (state === 'merged') return phrase('error.customer.merged');
  return state === 'disabled' ? phrase('error.customer.disabled') : undefined;
}

const isMerged = ({ state }: Customer) => (state === 'merged' ? phrase('error.customer.merged') : undefined);

/** Acts on a registered user, on the own page. */
export const actsOfPage: Acts<Customer> = {
  recharge: {
    on: 'row',
    label: 'customers.recharge',
    may: 'recharge.create',
    because: receives,
    leads: ({ id: customerId }) => place('recharge', { customerId }),
  },
  ...walletActs<Customer>(walletOfCustomer, { receives }),
  disable: {
    on: 'row',
    label: 'customers.disable',
    may: 'customer.block',
    danger: true,
    isFor: ({ state }) => state === 'normal',
    overlay: (customer, over) => (
      <DisableCustomerForm
        customer={customer}
        {...formIn(over, ({ nickname }: Customer) => phrase('customers.disabledNow', { name: nickname }))}
      />
    ),
  },
  enable: {
    on: 'row',
    label: 'customers.enable',
    may: 'customer.block',
    isFor: ({ state }) => state === 'disabled',
    deed: ({ id, nickname }) => ({
      do: async (idempotencyKey) => {
        await call(enableCustomer, { params: { id }, body: { enabled: true }, idempotencyKey });
        return phrase('customers.enabledNow', { name: nickname });
      },
    }),
  },
  merge: {
    on: 'row',
    label: 'customers.merge',
    may: 'customer.merge',
    danger: true,
    because: isMerged,
    overlay: (customer, over) => (
      <MergeCustomerForm
        customer={customer}
        {...formIn(over, ({ nickname }: Customer) =>
          phrase('customers.merged', { name: customer.nickname, into: nickname }),
        )}
      />
    ),
  },
  story: { on: 'row', label: 'shell.whatHappened', leads: ({ id }) => place('customerStory', { id }) },
  audit: auditOf('customer'),
};

/** Those of the list, which also leads to what the page shows itself. */
export const customerActs: Acts<Customer> = {
  ...actsOfPage,
  cards: { on: 'row', label: 'customers.cards', leads: ({ id: customerId }) => place('cardList', { customerId }) },
  records: {
    on: 'row',
    label: 'customers.records',
    leads: ({ id: customerId }) => place('chongzhiRecods', { customerId }),
  },
  orders: {
    on: 'row',
    label: 'customers.orders',
    leads: ({ id: customerId }) => place('orderListHistory', { customerId, time: 'placed' }),
  },
  debts: {
    on: 'row',
    label: 'customers.debts',
    leads: ({ id: customerId }) => place('debtList', { customerId }),
  },
};
