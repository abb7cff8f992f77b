import { liveOrderStates } from '@voltdeck/charging/states';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { listOrders, type Order } from '@voltdeck/contract/orders';
import { Button } from 'antd';
import { useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { useOrderActs } from './order-acts.tsx';
import { orderColumns, orderFilters, waitFilter } from './order-columns.tsx';

const detailPath = '/orderListDetailReal';
/** Numbers of orders that were told of and are not shown; forgotten when there are too many. */
const seenMax = 5_000;

const aboutPayer = ['customer', 'phone', 'card', 'startMode', 'paymentType'] as const;
const runningColumns = [
  'number',
  'state',
  'power',
  'soc',
  'energy',
  'feeSoFar',
  'duration',
  'site',
  'station',
  'port',
  ...aboutPayer,
  'placedAt',
  'startedAt',
  'billingType',
  'stationNumber',
  'agent',
] as const;
/** What decides which order a person takes up first. */
const waitingColumns = [
  'number',
  'waitsWhy',
  'waitsSince',
  'station',
  'port',
  'energy',
  'site',
  'state',
  'startedAt',
  'endedAt',
  'duration',
  ...aboutPayer,
  'placedAt',
  'stationNumber',
  'agent',
] as const;

type OrderChanged = Extract<ConsoleEvent, { kind: 'order-changed' }>;

function isLive(state: Order['state']): boolean {
  return (liveOrderStates as readonly string[]).includes(state);
}

/** A row after an event; null when the order has ended and left the list. */
function movedOrder(order: Order, event: OrderChanged): Order | null {
  if (!isLive(event.state)) return null;
  return {
    ...order,
    state: event.state,
    // Whom it waits for is told when the list is asked again.
    ...(event.state === order.state ? {} : { waitsFor: null, waitsSince: null, waitsBecause: [] }),
    energyWh: event.energyWh as Order['energyWh'],
    amountFen: event.amountFen as Order['amountFen'],
    electricityFeeFen: event.electricityFeeFen as Order['electricityFeeFen'],
    serviceFeeFen: event.serviceFeeFen as Order['serviceFeeFen'],
    powerW: event.state === 'charging' ? (event.powerW ?? order.powerW) : null,
    socPercent: event.socPercent ?? order.socPercent,
    // The event says that it has begun, and does not say when: its own instant is close until the list is asked again.
    startedAt: order.startedAt ?? (event.state === 'charging' ? event.at : null),
  };
}

/** Orders that are placed, charging or settling, moving by server push; /orderListReal. */
export default function RealOrderListPage() {
  const { actsOf, forms } = useOrderActs();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const asksForWaiting = search.has('waitsFor');
  const seen = useRef(new Set<number>());
  const pick = orderColumns(detailPath);
  const filters = orderFilters(liveOrderStates);
  return (
    <>
      <ListPage
        name={asksForWaiting ? 'orders-waiting' : 'orders-real'}
        title={phrase('orders.realTitle')}
        route={listOrders}
        fixed={{ state: [...liveOrderStates] }}
        rowKey={(order) => order.id}
        rowName={(order) => `${phrase('orders.order')} ${order.number}`}
        filters={[...filters.slice(0, 1), waitFilter(), ...filters.slice(1)]}
        columns={pick(asksForWaiting ? waitingColumns : runningColumns)}
        rowActions={actsOf}
        live={{
          'order-changed': {
            concerns: (order, event) => order.id === event.orderId,
            patch: movedOrder,
            // Another page's orders move too; only an order that was never told of may be a new row here.
            mayAdd: (event) => {
              if (!isLive(event.state) || seen.current.has(event.orderId)) return false;
              if (seen.current.size >= seenMax) seen.current.clear();
              seen.current.add(event.orderId);
              return true;
            },
          },
        }}
        empty={{
          title: phrase('orders.emptyReal'),
          text: phrase('orders.emptyRealText'),
          action: <Button onClick={() => navigate('/portList')}>{phrase('orders.toPorts')}</Button>,
        }}
      />
      {forms}
    </>
  );
}
