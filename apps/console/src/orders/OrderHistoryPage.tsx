import { endedOrderStates } from '@voltdeck/charging/states';
import { getOrder, listOrders } from '@voltdeck/contract/orders';
import { instant, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { comparison, orderActs } from './order-acts.tsx';
import { orderFilters, orderLook } from './order-list.tsx';

const filters: Filters<typeof listOrders> = {
  from: { title: 'orders.periodFilter', which: { name: 'time', words: 'orders.timeKind' } },
  ...orderFilters(endedOrderStates),
  paymentState: {},
};

const { duration, placedAt, ...further } = orderLook('orderListDetailHistory');
const look = {
  ...further,
  duration: { ...duration, isKeyFact: undefined },
  placedAt: { ...placedAt, isKeyFact: true },
  // "Emergency stop pressed" fits.
  stopReason: { widthPx: 184 },
  flaggedBecause: { widthPx: 200 },
  startMode: { isHidden: true },
} satisfies ListPageProps<typeof listOrders>['look'];

/** Completed and cancelled orders with their sums, refund and export; /orderListHistory. */
export default function OrderHistoryPage() {
  return (
    <ListPage
      list={listOrders}
      screen={listScreen('orders-history')}
      title="orders.historyTitle"
      record="orders.order"
      filters={filters}
      initially={() => ({ from: toIso(shanghaiDayStart(instant(Date.now()))) })}
      hasGroups
      columns={[
        'number',
        'state',
        'startedAt',
        'duration',
        'energyWh',
        'stopReason',
        'amountFen',
        'paidFen',
        'refundedFen',
        'paymentState',
        'paymentType',
        'electricityFeeFen',
        'serviceFeeFen',
        'siteName',
        'stationName',
        'stationNumber',
        'connectorNumber',
        'agentName',
        'userName',
        'phone',
        'cardNumber',
        'plate',
        'vin',
        'isGroupOrder',
        'groupName',
        'groupCardNumber',
        'expectedDurationMs',
        'flaggedBecause',
        'placedAt',
        'endedAt',
        'startMode',
        'billingType',
      ]}
      sumsTooMany="orders.sumsTooMany"
      look={look}
      acts={{ ...orderActs, ...comparison }}
      one={getOrder}
      empty={{ title: 'orders.emptyHistory', text: 'orders.emptyHistoryText' }}
    />
  );
}
