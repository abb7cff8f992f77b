import { type Customer, getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { customerTones } from '../ui/state-colours.ts';
import { Avatar } from './Avatar.tsx';
import { customerActs } from './customer-acts.tsx';
import styles from './customers.module.css';

/** Lazy: most visits to a list never open it. */
const CustomerFormDrawer = lazyPart(() => import('./CustomerFormDrawer.tsx'));

const filters: Filters<typeof listCustomers> = {
  phone: {},
  nickname: {},
  state: {},
  from: { title: 'customers.createdAt' },
  owes: { title: 'customers.owes', words: ['customers.owesYes', 'customers.owesNo'] },
};

const look: ListPageProps<typeof listCustomers>['look'] = {
  phone: { widthPx: 136, isPinned: true, link: ({ id }) => place('registerUserDetail', { id }) },
  nickname: {
    widthPx: 148,
    render: ({ id, nickname }) => (
      <ScreenLink screen="registerUserDetail" query={{ id }} className={styles.person}>
        <Avatar name={nickname} />
        {nickname}
      </ScreenLink>
    ),
  },
  state: { widthPx: 96, tone: ({ state }) => customerTones[state] },
  balanceFen: { widthPx: 104, isKeyFact: true },
  paidFen: { isHidden: true },
  giftFen: { widthPx: 104 },
  cardBalanceFen: { widthPx: 104 },
  totalFen: { widthPx: 104 },
  heldFen: { widthPx: 104 },
  owedFen: { widthPx: 104 },
  frozenFen: { isHidden: true },
  beyond: { widthPx: 144, tone: ({ owedFen, debtLimitFen }) => (owedFen > debtLimitFen ? 'fault' : null) },
  stateReason: { isHidden: true },
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
  ...customerActs,
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
