import { type Customer, getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { lazy } from 'react';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { customerTones } from '../ui/state-colours.ts';

/** Lazy: most visits to a list never open it. */
const CustomerFormDrawer = lazy(() => import('./CustomerFormDrawer.tsx'));

const filters: Filters<typeof listCustomers> = {
  phone: {},
  nickname: {},
  state: {},
  from: { title: 'customers.createdAt' },
};

const look: ListPageProps<typeof listCustomers>['look'] = {
  phone: { widthPx: 148, isPinned: true },
  nickname: { widthPx: 180 },
  state: { tone: ({ state }) => customerTones[state] },
  balanceFen: { isKeyFact: true },
};

const acts: Acts<Customer> = {
  add: {
    on: 'list',
    label: 'customers.add',
    may: 'customer.edit',
    overlay: (over) => (
      <CustomerFormDrawer
        {...formIn(over, ({ nickname }: Customer) => phrase('customers.saved', { name: nickname }))}
      />
    ),
  },
  recharge: {
    on: 'row',
    label: 'customers.recharge',
    may: 'recharge.create',
    leads: ({ id: customerId }) => place('recharge', { customerId }),
  },
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
  audit: auditOf('customer'),
};

/** People who charge and pay; /registerUser. */
export default function CustomerListPage() {
  return (
    <ListPage
      list={listCustomers}
      title="customers.title"
      record="customers.customer"
      nameOf={({ nickname, phone }) => `${nickname} ${phone}`}
      filters={filters}
      look={look}
      acts={acts}
      one={getCustomer}
      empty={{ title: 'customers.empty', text: 'customers.emptyText' }}
    />
  );
}
