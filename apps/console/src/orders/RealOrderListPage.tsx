import { liveOrderStates } from '@voltdeck/charging/states';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { getOrder, listOrders, type Order } from '@voltdeck/contract/orders';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { place } from '../session/place.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { ColumnKeyOf, Filters, ListPageProps } from '../ui/list-page.ts';
import { listScreen } from '../ui/list-screen.ts';
import { Money } from '../ui/Money.tsx';
import { orderActs } from './order-acts.tsx';
import { orderFilters, orderLook } from './order-list.tsx';

/** How many numbers of orders that are not on this page are remembered before they are forgotten. */
const seenMax = 5_000;

/** Minimum interval between fetches of what orders wait for. */
const refetchGapMs = 3_000;

type Key = ColumnKeyOf<typeof listOrders>;
const payerColumns = [
  'userName',
  'phone',
  'cardNumber',
  'plate',
  'vin',
  'isGroupOrder',
  'groupName',
  'groupCardNumber',
  'expectedDurationMs',
  'startMode',
  'paymentType',
] as const satisfies Key[];
const runningColumns = [
  'number',
  'state',
  'siteName',
  'stationName',
  'connectorNumber',
  // In English the columns after these two do not fit beside the actions on a desk of 1440 pixels.
  'energyWh',
  'amountFen',
  'powerW',
  'socPercent',
  'duration',
  ...payerColumns,
  'placedAt',
  'startedAt',
  'billingType',
  'stationNumber',
  'agentName',
] as const satisfies Key[];
/** What helps to decide which order to handle first. */
const waitingColumns = [
  'number',
  'waitsBecause',
  'waitsSince',
  'stationName',
  'connectorNumber',
  'energyWh',
  'siteName',
  'state',
  'startedAt',
  'endedAt',
  'duration',
  ...payerColumns,
  'placedAt',
  'stationNumber',
  'agentName',
] as const satisfies Key[];

const { number: byNumber, ...furtherFilters } = orderFilters(liveOrderStates);
const filters: Filters<typeof listOrders> = {
  number: byNumber,
  waitsFor: { title: 'orders.waitsFor', words: 'settlement-wait' },
  ...furtherFilters,
};

const look: ListPageProps<typeof listOrders>['look'] = {
  ...orderLook('orderListDetailReal'),
  waitsBecause: { isKeyFact: true },
  waitsSince: { isKeyFact: true },
  amountFen: {
    title: 'orders.feeSoFar',
    isKeyFact: true,
    // A zero would look like a charge that cost nothing.
    render: ({ waitsFor, amountFen }) => <Money fen={waitsFor === 'person' ? null : amountFen} bare />,
  },
};

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
    // What it waits for is known after the next fetch.
    ...(event.state === order.state ? {} : { waitsFor: null, waitsSince: null, waitsBecause: [] }),
    energyWh: event.energyWh as Order['energyWh'],
    amountFen: event.amountFen as Order['amountFen'],
    electricityFeeFen: event.electricityFeeFen as Order['electricityFeeFen'],
    serviceFeeFen: event.serviceFeeFen as Order['serviceFeeFen'],
    powerW: event.state === 'charging' ? (event.powerW ?? order.powerW) : null,
    socPercent: event.socPercent ?? order.socPercent,
    // The event has no start time; its own time is close enough until the next fetch.
    startedAt: order.startedAt ?? (event.state === 'charging' ? event.at : null),
  };
}

/** Orders that are placed, charging or settling, updated by server push; /orderListReal. */
export default function RealOrderListPage() {
  const [search] = useSearchParams();
  const asksForWaiting = search.has('waitsFor');
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(listOrders), refetchGapMs);
  const seen = useRef(new Set<number>());
  return (
    <ListPage
      list={listOrders}
      screen={listScreen(asksForWaiting ? 'orders-waiting' : 'orders-real')}
      title="orders.realTitle"
      record="orders.order"
      filters={filters}
      columns={asksForWaiting ? waitingColumns : runningColumns}
      look={look}
      acts={orderActs}
      one={getOrder}
      live={{
        'order-changed': {
          concerns: (order, event) => order.id === event.orderId,
          patch: (order, event) => {
            // Events do not say what an order waits for.
            if (event.state === 'settling') askAgain();
            return movedOrder(order, event);
          },
          // Orders of other pages change too; only an unknown order may become a new row here.
          mayAdd: (event) => {
            if (!isLive(event.state) || seen.current.has(event.orderId)) return false;
            if (seen.current.size >= seenMax) seen.current.clear();
            seen.current.add(event.orderId);
            return true;
          },
        },
        // Manual settlement of a running charge is offered while its station is offline.
        'station-changed': {
          concerns: (order, event) => order.stationId === event.stationId,
          patch: (order, { online: stationOnline }) => ({ ...order, stationOnline }),
        },
      }}
      empty={{
        title: 'orders.emptyReal',
        text: 'orders.emptyRealText',
        next: { label: 'orders.toPorts', place: place('portList') },
      }}
    />
  );
}
