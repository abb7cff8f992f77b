import { orderStates } from '@voltdeck/charging/states';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { orderActs } from './order-acts.tsx';
import { orderFilters, orderLook } from './order-list.tsx';

const { groupOrder: _, groupId, ...further } = orderFilters(orderStates);
const filters: Filters<typeof listOrders> = {
  groupId,
  from: { title: 'orders.periodFilter', which: { name: 'time', words: 'orders.timeKind' } },
  ...further,
  paymentState: {},
};

const { groupName, groupCardNumber, ...furtherLook } = orderLook('orderListDetailHistory');
const look: ListPageProps<typeof listOrders>['look'] = {
  ...furtherLook,
  groupName: { ...groupName, isHidden: undefined, isKeyFact: true },
  groupCardNumber: { ...groupCardNumber, isHidden: undefined },
};

/** Orders that groups pay for, with their sums; /groupOrderList. */
export default function GroupOrderListPage() {
  return (
    <ListPage
      list={listOrders}
      screen={listScreen('orders-of-groups')}
      title="groupOrders.title"
      record="orders.order"
      filters={filters}
      columns={[
        'number',
        'groupName',
        'groupCardNumber',
        'userName',
        'phone',
        'state',
        'placedAt',
        'duration',
        'energyWh',
        'amountFen',
        'paidFen',
        'refundedFen',
        'paymentState',
        'electricityFeeFen',
        'serviceFeeFen',
        'siteName',
        'stationName',
        'stationNumber',
        'connectorNumber',
        'agentName',
        'startedAt',
        'endedAt',
        'stopReason',
        'startMode',
        'billingType',
      ]}
      look={look}
      acts={orderActs}
      one={getOrder}
      empty={{ title: 'groupOrders.empty', text: 'groupOrders.emptyText' }}
    />
  );
}
