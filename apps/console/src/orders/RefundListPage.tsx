import { getOrderRefund, listOrderRefunds, type OrderRefund, retryRefund } from '@voltdeck/contract/order-refunds';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { refundTones } from '../ui/state-colours.ts';

const filters: Filters<typeof listOrderRefunds> = {
  number: {},
  orderNumber: {},
  state: {},
  phone: {},
  from: { title: 'refunds.period', which: { name: 'time', words: 'refunds.time' } },
  channel: {},
  cardNumber: {},
  siteId: { title: 'refunds.site' },
  stationNumber: {},
  operatorName: {},
  thirdPartyNumber: {},
  agentId: { title: 'refunds.agent', may: seesAgents },
  groupOrder: { title: 'refunds.isGroupOrder' },
  groupId: { title: 'refunds.groupName', may: ({ user }) => user.permissions.includes('group.read') },
  customerId: { title: 'refunds.customerRecord', may: ({ user }) => user.permissions.includes('customer.read') },
  cardId: { title: 'refunds.cardRecord', may: ({ user }) => user.permissions.includes('card.read') },
};

const look: ListPageProps<typeof listOrderRefunds>['look'] = {
  number: { widthPx: 216, isPinned: true },
  orderNumber: {
    widthPx: 224,
    isKeyFact: true,
    link: ({ orderId }) => place('orderListDetailRefund', { id: orderId }),
  },
  state: { isKeyFact: true, tone: ({ state }) => refundTones[state] },
  amountFen: { isKeyFact: true },
  forgivenFen: { isHidden: true },
  reason: { widthPx: 176, isKeyFact: true },
  appliedAt: { isKeyFact: true },
  isGroupOrder: { isHidden: true },
  groupName: { isHidden: true },
  groupCardNumber: { isHidden: true },
  thirdPartyNumber: { isHidden: true },
  result: { isHidden: true },
  electricityFeeFen: { isHidden: true },
  serviceFeeFen: { isHidden: true },
  stationNumber: { isHidden: true },
  agentName: { isHidden: true },
};

const acts: Acts<OrderRefund> = {
  retry: asking({
    label: 'refunds.retry',
    may: 'order.refund',
    isFor: ({ state }) => state === 'failed',
    question: ({ number }) => phrase('refunds.retryQuestion', { number }),
    details: ({ amountFen }) => phrase('refunds.retryDetails', { amount: moneyText(amountFen) }),
    act: ({ id }, idempotencyKey) => call(retryRefund, { params: { id }, idempotencyKey }),
    told: ({ amountFen }) => phrase('refunds.retried', { amount: moneyText(amountFen) }),
    changes: [listOrders, getOrder],
  }),
};

/** What was given back from orders, and what became of it; /orderListRefund. */
export default function RefundListPage() {
  return (
    <ListPage
      list={listOrderRefunds}
      title="refunds.title"
      record="refunds.refund"
      filters={filters}
      look={look}
      acts={acts}
      one={getOrderRefund}
      empty={{
        title: 'refunds.empty',
        text: 'refunds.emptyText',
        next: { label: 'refunds.toHistory', place: place('orderListHistory') },
      }}
    />
  );
}
