import { endedOrderStates } from '@voltdeck/charging/states';
import { countOrders, exportOrders, listOrders, orderTimes } from '@voltdeck/contract/orders';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { OrderSums } from './OrderSums.tsx';
import { useOrderActs } from './order-acts.tsx';
import { orderColumns, orderFilters, paymentStateFilter } from './order-columns.tsx';

const detailPath = '/orderListDetailHistory';
/** Filters that stand on the line before the others. */
const firstFilters = 4;

/** Completed and cancelled orders with their sums, refund and export; /orderListHistory. */
export default function OrderHistoryPage() {
  const { actsOf, forms } = useOrderActs();
  const can = useCan();
  const pick = orderColumns(detailPath);
  const filters = orderFilters(endedOrderStates);
  return (
    <>
      <ListPage
        name="orders-history"
        title={phrase('orders.historyTitle')}
        route={listOrders}
        totalRoute={countOrders}
        fixed={{ state: [...endedOrderStates] }}
        rowKey={(order) => order.id}
        rowName={(order) => `${phrase('orders.order')} ${order.number}`}
        filters={[
          {
            kind: 'period',
            name: 'period',
            label: phrase('orders.periodFilter'),
            from: 'from',
            to: 'to',
            which: {
              name: 'time',
              choices: orderTimes.map((value) => ({ value, label: phrase(`orders.timeKind.${value}`) })),
            },
          },
          ...filters.slice(0, firstFilters),
          paymentStateFilter(),
          ...filters.slice(firstFilters),
        ]}
        sums={(query) => <OrderSums query={query} />}
        columns={[
          ...pick(['number']),
          ...pick(['state', 'placedAt', 'startMode', 'billingType'], phrase('orders.group.order')),
          ...pick(['site', 'station', 'stationNumber', 'port', 'agent'], phrase('orders.group.site')),
          ...pick(['customer', 'phone', 'card'], phrase('orders.group.user')),
          ...pick(['startedAt', 'endedAt', 'duration', 'energy', 'stopReason'], phrase('orders.group.charging')),
          ...pick(
            ['amount', 'electricityFee', 'serviceFee', 'paid', 'refunded', 'paymentState', 'paymentType'],
            phrase('orders.group.payment'),
          ),
        ]}
        rowActions={actsOf}
        {...(can('order.export') ? { exportRoute: exportOrders, exportList: 'listOrders' as const } : {})}
        empty={{ title: phrase('orders.emptyHistory'), text: phrase('orders.emptyHistoryText') }}
      />
      {forms}
    </>
  );
}
