import { settlementWaits } from '@voltdeck/charging/charge/charge';
import { billingTypes, type OrderState, paymentStates, paymentTypes, startModes } from '@voltdeck/charging/states';
import type { listOrders, Order } from '@voltdeck/contract/orders';
import { Tooltip } from 'antd';
import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { Energy } from '../ui/Energy.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { agentChoices, siteChoices } from '../ui/list/record-choices.ts';
import type { ListColumn, ListFilter } from '../ui/list-page.ts';
import { Money } from '../ui/Money.tsx';
import { orderStateText } from '../ui/order-state-text.ts';
import { Power } from '../ui/Power.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { orderTones, paymentTones } from '../ui/state-colours.ts';
import { ToneShape } from '../ui/ToneShape.tsx';
import { chargeDurationMs, clockOf } from './duration.ts';
import styles from './order-lists.module.css';
import { useNow } from './use-now.ts';

type Column = ListColumn<typeof listOrders>;
type Filter = ListFilter<typeof listOrders>;

/** Counts on while the charge runs. */
function Duration({ order }: { order: Order }) {
  const isRunning = order.startedAt !== null && order.endedAt === null;
  const now = useNow(30_000, isRunning);
  const ms = chargeDurationMs(order, now);
  return <span className="figure">{ms === null ? nothingText : clockOf(ms)}</span>;
}

/** Every column an order list can show, by its key; each list picks and orders its own. */
export function orderColumns(detailPath: string) {
  const columns = {
    number: {
      title: phrase('orders.number'),
      widthPx: 236,
      initiallyPinned: true,
      render: (order) => (
        <span className={styles.number}>
          <CopyNumber value={order.number}>
            <Link to={`${detailPath}?id=${order.id}`}>{order.number}</Link>
          </CopyNumber>
          {order.abnormal ? (
            <Tooltip title={phrase('orders.abnormal')}>
              <span role="img" aria-label={phrase('orders.abnormal')} className={styles.abnormal}>
                <ToneShape tone="fault" sizePx={12} />
              </span>
            </Tooltip>
          ) : null}
        </span>
      ),
    },
    state: {
      isKeyFact: true,
      title: phrase('orders.state'),
      widthPx: 148,
      render: (order) => <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>,
    },
    waitsWhy: {
      isKeyFact: true,
      title: phrase('orders.waitsWhy'),
      widthPx: 200,
      render: ({ waitsBecause }) =>
        waitsBecause.length === 0
          ? nothingText
          : waitsBecause.map((rule) => phrase(`abnormal-rule.${rule}`)).join(phrase('list.comma')),
    },
    waitsSince: {
      isKeyFact: true,
      title: phrase('orders.waitingSince'),
      widthPx: 132,
      render: (order) => <Instant at={order.waitsSince} />,
    },
    placedAt: {
      isKeyFact: true,
      title: phrase('orders.placedAt'),
      widthPx: 172,
      sort: 'placedAt',
      render: (order) => <Instant at={order.placedAt} />,
    },
    startMode: {
      title: phrase('orders.startMode'),
      widthPx: 100,
      render: (order) => phrase(`start-mode.${order.startMode}`),
    },
    billingType: {
      title: phrase('orders.billingType'),
      widthPx: 104,
      initiallyHidden: true,
      render: (order) => phrase(`billing-type.${order.billingType}`),
    },
    site: { title: phrase('orders.site'), widthPx: 180, render: (order) => order.siteName },
    station: {
      title: phrase('orders.station'),
      widthPx: 128,
      render: (order) => <Link to={`/deviceDetail?id=${order.stationId}`}>{order.stationName}</Link>,
    },
    stationNumber: {
      title: phrase('orders.stationNumber'),
      widthPx: 160,
      initiallyHidden: true,
      render: (order) => <CopyNumber value={order.stationNumber} />,
    },
    port: { title: phrase('orders.portNumber'), widthPx: 72, align: 'right', render: (order) => order.connectorNumber },
    agent: {
      title: phrase('orders.agent'),
      widthPx: 140,
      initiallyHidden: true,
      render: (order) => order.agentName ?? phrase('orders.platform'),
    },
    customer: { title: phrase('orders.customer'), widthPx: 104, render: (order) => order.userName ?? nothingText },
    phone: {
      title: phrase('orders.phone'),
      widthPx: 132,
      render: (order) => (order.phone === null ? nothingText : <CopyNumber value={order.phone} />),
    },
    card: {
      title: phrase('orders.card'),
      widthPx: 172,
      initiallyHidden: true,
      render: (order) => (order.cardNumber === null ? nothingText : <CopyNumber value={order.cardNumber} />),
    },
    startedAt: {
      title: phrase('orders.startedAt'),
      widthPx: 172,
      sort: 'startedAt',
      render: (order) => <Instant at={order.startedAt} />,
    },
    endedAt: {
      title: phrase('orders.endedAt'),
      widthPx: 172,
      sort: 'endedAt',
      render: (order) => <Instant at={order.endedAt} />,
    },
    duration: {
      isKeyFact: true,
      title: phrase('orders.duration'),
      hint: phrase('orders.durationHint'),
      widthPx: 88,
      align: 'right',
      render: (order) => <Duration order={order} />,
    },
    energy: {
      isKeyFact: true,
      title: `${phrase('orders.energy')} (kWh)`,
      widthPx: 104,
      align: 'right',
      render: (order) => <Energy wh={order.energyWh} bare />,
    },
    power: {
      title: `${phrase('orders.power')} (kW)`,
      widthPx: 96,
      align: 'right',
      render: (order) => <Power w={order.powerW} bare />,
    },
    soc: {
      title: `${phrase('orders.soc')} (%)`,
      widthPx: 80,
      align: 'right',
      render: (order) => <span className="figure">{order.socPercent ?? nothingText}</span>,
    },
    stopReason: {
      title: phrase('orders.stopReason'),
      widthPx: 132,
      render: (order) => (order.stopReason === null ? nothingText : phrase(`stop-reason.${order.stopReason}`)),
    },
    feeSoFar: {
      isKeyFact: true,
      title: `${phrase('orders.feeSoFar')} (¥)`,
      widthPx: 112,
      align: 'right',
      // Nothing is priced yet: a zero would read as a charge that cost nothing.
      render: (order) => <Money fen={order.waitsFor === 'person' ? null : order.amountFen} bare />,
    },
    amount: {
      isKeyFact: true,
      title: `${phrase('orders.orderAmount')} (¥)`,
      widthPx: 116,
      align: 'right',
      render: (order) => <Money fen={order.amountFen} bare />,
    },
    electricityFee: {
      title: `${phrase('orders.electricityFee')} (¥)`,
      widthPx: 108,
      align: 'right',
      render: (order) => <Money fen={order.electricityFeeFen} bare />,
    },
    serviceFee: {
      title: `${phrase('orders.serviceFee')} (¥)`,
      widthPx: 108,
      align: 'right',
      render: (order) => <Money fen={order.serviceFeeFen} bare />,
    },
    paid: {
      title: `${phrase('orders.really')} (¥)`,
      widthPx: 116,
      align: 'right',
      render: (order) => <Money fen={order.paidFen} bare />,
    },
    refunded: {
      title: `${phrase('orders.refundedHead')} (¥)`,
      widthPx: 112,
      align: 'right',
      render: (order) => <Money fen={order.refundedFen} bare />,
    },
    paymentState: {
      title: phrase('orders.paymentState'),
      widthPx: 132,
      render: (order) => (
        <StateTag tone={paymentTones[order.paymentState]}>{phrase(`payment-state.${order.paymentState}`)}</StateTag>
      ),
    },
    paymentType: {
      title: phrase('orders.paymentType'),
      widthPx: 96,
      render: (order) => phrase(`payment-type.${order.paymentType}`),
    },
  } satisfies Record<string, Omit<Column, 'key'>>;
  return <Key extends keyof typeof columns>(keys: readonly Key[], group?: string): Column[] =>
    keys.map((key) => ({ key, ...(columns[key] as Omit<Column, 'key'>), ...(group === undefined ? {} : { group }) }));
}

/** The filters that both order lists share; `states` are those that the list can show. */
export function orderFilters(states: readonly OrderState[]): Filter[] {
  return [
    { kind: 'text', name: 'number', label: phrase('orders.number') },
    { kind: 'text', name: 'phone', label: phrase('orders.phone'), maxLength: 20 },
    { kind: 'record', name: 'siteId', label: phrase('orders.site'), ...siteChoices },
    {
      kind: 'choice',
      name: 'state',
      label: phrase('orders.state'),
      choices: states.map((value) => ({ value, label: phrase(`order-state.${value}`) })),
    },
    { kind: 'text', name: 'stationNumber', label: phrase('orders.stationNumber') },
    { kind: 'text', name: 'connectorNumber', label: phrase('orders.portNumber'), maxLength: 3 },
    { kind: 'text', name: 'cardNumber', label: phrase('orders.card'), maxLength: 20 },
    { kind: 'text', name: 'vin', label: phrase('orders.vin'), maxLength: 17 },
    { kind: 'text', name: 'plate', label: phrase('orders.plate'), maxLength: 16 },
    { kind: 'text', name: 'userName', label: phrase('orders.customer') },
    { kind: 'record', name: 'agentId', label: phrase('orders.agent'), ...agentChoices },
    {
      kind: 'choice',
      name: 'startMode',
      label: phrase('orders.startMode'),
      choices: startModes.map((value) => ({ value, label: phrase(`start-mode.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'paymentType',
      label: phrase('orders.paymentType'),
      choices: paymentTypes.map((value) => ({ value, label: phrase(`payment-type.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'billingType',
      label: phrase('orders.billingType'),
      choices: billingTypes.map((value) => ({ value, label: phrase(`billing-type.${value}`) })),
    },
    {
      kind: 'flag',
      name: 'abnormal',
      label: phrase('orders.abnormal'),
    },
  ];
}

/** Finds what somebody has to look at among the orders that are being settled. */
export const waitFilter = (): Filter => ({
  kind: 'choice',
  name: 'waitsFor',
  label: phrase('orders.waitsFor'),
  choices: settlementWaits.map((value) => ({ value, label: phrase(`settlement-wait.${value}`) })),
});

export const paymentStateFilter = (): Filter => ({
  kind: 'choice',
  name: 'paymentState',
  label: phrase('orders.paymentState'),
  choices: paymentStates.map((value) => ({ value, label: phrase(`payment-state.${value}`) })),
});
