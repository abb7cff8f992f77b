import type { OrderState } from '@voltdeck/charging/states';
import type { listOrders, Order } from '@voltdeck/contract/orders';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { durationText, nothingText } from '../ui/figures.ts';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { orderStateText } from '../ui/order-state-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { orderTones, paymentTones } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { useNow } from '../ui/use-now.ts';
import { chargeDurationMs } from './duration.ts';
import styles from './order-lists.module.css';

const tickMs = 1_000;

/** Keeps counting while the charge runs. */
function Duration({ order }: { order: Order }): ReactNode {
  const isRunning = order.startedAt !== null && order.endedAt === null;
  const now = useNow(tickMs, isRunning);
  const ms = chargeDurationMs(order, now);
  return ms === null ? nothingText : <span className="figure">{durationText(ms)}</span>;
}

export type DetailScreen =
  | 'orderListDetailReal'
  | 'orderListDetailHistory'
  | 'orderListDetailAbnormal'
  | 'orderListDetailRefund';

/** The order number with its marks. */
function OrderNumber({ order, detail }: { order: Order; detail: DetailScreen }) {
  const reasons = order.flaggedBecause.map((rule) => phrase(`abnormal-rule.${rule}`)).join(phrase('list.comma'));
  const flagged = reasons === '' ? phrase('orders.abnormal') : reasons;
  return (
    <span className={styles.number}>
      <CopyNumber value={order.number}>
        <ScreenLink screen={detail} query={{ id: order.id }}>
          {order.number}
        </ScreenLink>
      </CopyNumber>
      {order.abnormal ? (
        <Tooltip title={flagged}>
          <span role="img" aria-label={flagged} className={styles.abnormal}>
            <ToneShape tone="fault" sizePx={12} />
          </span>
        </Tooltip>
      ) : null}
    </span>
  );
}

/** The columns of every list of orders. */
export function orderLook(detail: DetailScreen) {
  return {
    number: { widthPx: 236, isPinned: true, render: (order) => <OrderNumber order={order} detail={detail} /> },
    state: {
      widthPx: 132,
      isKeyFact: true,
      render: (order) => <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>,
    },
    siteName: { widthPx: 172, isKeyFact: true },
    stationName: {
      widthPx: 148,
      isKeyFact: true,
      link: ({ stationId }) => place('deviceDetail', { id: stationId }),
    },
    connectorNumber: { widthPx: 72 },
    duration: { isKeyFact: true, render: (order) => <Duration order={order} /> },
    energyWh: { isKeyFact: true },
    amountFen: { isKeyFact: true },
    paymentState: { widthPx: 124, tone: ({ paymentState }) => paymentTones[paymentState] },
    placedAt: { isExact: true },
    startedAt: { isExact: true },
    endedAt: { isExact: true },
    stationNumber: { isHidden: true },
    agentName: { isHidden: true },
    cardNumber: { isHidden: true },
    isGroupOrder: { isHidden: true },
    groupName: {
      widthPx: 160,
      isHidden: true,
      link: ({ groupName }) => (groupName === null ? null : place('groupList', { name: groupName })),
    },
    groupCardNumber: { widthPx: 196, isHidden: true },
    expectedDurationMs: { isHidden: true },
    plate: { widthPx: 128, isHidden: true },
    vin: { widthPx: 208, isHidden: true },
    billingType: { isHidden: true },
  } satisfies ListPageProps<typeof listOrders>['look'];
}

/** The filters of order lists; `states` are those that the list can show. */
export function orderFilters(states: readonly OrderState[]) {
  return {
    number: {},
    phone: {},
    siteId: { title: 'orders.site' },
    state: { values: states },
    stationNumber: {},
    connectorNumber: {},
    cardNumber: {},
    cardId: { title: 'orders.cardRecord', may: ({ user }) => user.permissions.includes('card.read') },
    customerId: { title: 'orders.customerRecord', may: ({ user }) => user.permissions.includes('customer.read') },
    vin: { title: 'orders.vin' },
    plate: { title: 'orders.plate' },
    userName: {},
    agentId: { title: 'orders.agent', may: seesAgents },
    regionCode: { title: 'orders.region' },
    stationType: { title: 'orders.stationType', words: 'station-type' },
    equipmentType: { title: 'orders.equipmentType', words: 'equipment-type' },
    startMode: {},
    paymentType: {},
    billingType: {},
    groupOrder: { title: 'orders.isGroupOrder' },
    groupId: { title: 'orders.groupName', may: ({ user }) => user.permissions.includes('group.read') },
    abnormal: { words: ['orders.abnormalOnly', 'orders.normalOnly'] },
  } satisfies Filters<typeof listOrders>;
}
