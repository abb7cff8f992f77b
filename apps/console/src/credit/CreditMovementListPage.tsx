import { listCreditMovements } from '@voltdeck/contract/credit';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';

const filters: Filters<typeof listCreditMovements> = {
  orderNumber: {},
  phone: {},
  kind: {},
  from: { title: 'credits.at' },
  customerId: { title: 'credits.customer' },
};

const look: ListPageProps<typeof listCreditMovements>['look'] = {
  createdAt: { widthPx: 184, isPinned: true, isExact: true },
  nickname: { widthPx: 144, link: ({ customerId }) => place('creditList', { customerId }) },
  phone: { widthPx: 136 },
  kind: { tone: ({ kind }) => (kind === 'order_refunded' ? 'occupied' : kind === 'adjusted' ? 'charging' : 'free') },
  orderNumber: {
    widthPx: 220,
    link: ({ orderId }) => (orderId === null ? null : place('orderListDetailHistory', { id: orderId })),
  },
  points: { isKeyFact: true },
  after: { isKeyFact: true },
};

/** Every change of a credit score, by its order; /creditDetail. */
export default function CreditMovementListPage() {
  return (
    <ListPage
      list={listCreditMovements}
      title="credits.movements"
      record="credits.movement"
      filters={filters}
      look={look}
      empty={{ title: 'credits.movementsEmpty', text: 'credits.movementsEmptyText' }}
    />
  );
}
