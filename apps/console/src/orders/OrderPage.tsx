import { PrinterOutlined, ReloadOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { getOrder, listOrderReadings, listOrders, type OrderDetail } from '@voltdeck/contract/orders';
import { screenAt } from '@voltdeck/contract/screens';
import type { OrderId } from '@voltdeck/units/id';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { Button, Skeleton } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { useConsoleEvents } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { keyOf, useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Energy } from '../ui/Energy.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { energyText, moneyText, nothingText, percentText } from '../ui/figures.ts';
import { isoDateTime } from '../ui/instants.ts';
import type { RowAction } from '../ui/list/list-view.ts';
import { useActs } from '../ui/list/use-acts.tsx';
import { Money } from '../ui/Money.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { orderStateText } from '../ui/order-state-text.ts';
import { Panel } from '../ui/Panel.tsx';
import { Power } from '../ui/Power.tsx';
import { portText } from '../ui/ports/port-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { orderTones, paymentTones } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { useNow } from '../ui/use-now.ts';
import { withWords } from '../words.ts';
import { flaggedActs } from './abnormal-acts.tsx';
import { BillTable } from './BillTable.tsx';
import { chargeDurationMs } from './duration.ts';
import { FlagList } from './FlagList.tsx';
import { OrderCurve } from './OrderCurve.tsx';
import { OrderReceipt } from './OrderReceipt.tsx';
import { OrderSteps } from './OrderSteps.tsx';
import styles from './order-page.module.css';
import { PaymentPanel } from './PaymentPanel.tsx';
import { PostingsPanel } from './PostingsPanel.tsx';
import { paidStoryOf } from './paid-story.ts';
import { isBelieved } from './proposal-basis.ts';
import { RawPanel } from './RawPanel.tsx';
import { RefundsPanel } from './RefundsPanel.tsx';
import { useRunningLines } from './running-bill.ts';
import { StationBillPanel } from './StationBillPanel.tsx';
import { proposalPreview } from './settle-preview.ts';
import { TimelinePanel } from './TimelinePanel.tsx';
import { WaitingPanel } from './WaitingPanel.tsx';
import { durationText, ruleText } from './words.ts';

const SharesPanel = lazyPart(withWords(['shares'], () => import('./SharesPanel.tsx')));
const OrderInvoices = lazyPart(withWords(['invoices'], () => import('../invoices/OrderInvoices.tsx')));
const WaitingActs = lazyPart(withWords(['approvals'], () => import('../ui/WaitingActs.tsx')));

/** Minimum interval between fetches of bill lines and postings during a charge. */
const refetchGapMs = 10_000;

/**
 * One order with its bill explained, live while it charges; /orderListDetailReal, /orderListDetailHistory,
 * /orderListDetailAbnormal and /orderListDetailRefund.
 */
export default function OrderPage() {
  const { pathname } = useLocation();
  const id = useRecordId<OrderId>();
  if (id === null)
    return (
      <EmptyState
        title={phrase('orders.noSuchOrder')}
        text={phrase('orders.noSuchOrderText')}
        action={<WayBack list={listOf(pathname)} />}
      />
    );
  return <OrderOf key={id} id={id} />;
}

const listNames = {
  orderListReal: 'menu.orderListReal',
  orderListHistory: 'menu.orderListHistory',
  orderListAbnormal: 'menu.orderListAbnormal',
  orderListRefund: 'menu.orderListRefund',
} as const;
type OrderList = keyof typeof listNames;

const lists: Partial<Record<string, OrderList>> = {
  orderListDetailReal: 'orderListReal',
  orderListDetailAbnormal: 'orderListAbnormal',
  orderListDetailRefund: 'orderListRefund',
};

/** The list that the user most likely came from. */
const listOf = (pathname: string): OrderList => lists[screenAt(pathname) ?? ''] ?? 'orderListHistory';

function WayBack({ list }: { list: OrderList }) {
  return <ScreenLink screen={list}>{phrase('shell.backToList', { list: phrase(listNames[list]) })}</ScreenLink>;
}

const pageActs = flaggedActs<OrderDetail>();

function OrderOf({ id }: { id: OrderId }) {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const can = useCan();
  const question = { params: { id } };
  const key = keyOf(getOrder, question);
  const answer = useAnswer(getOrder, question);
  useTabTitle(answer.data === undefined ? undefined : `${phrase('orders.order')} ${answer.data.number}`);
  const { actsOf, overlay } = useActs<OrderDetail>(pageActs, answer.data === undefined ? undefined : [answer.data], {
    list: listOrders,
    one: getOrder,
  });
  const [heardAtMs, setHeardAtMs] = useState<number | null>(null);
  const lines = useRunningLines(answer.data, heardAtMs);
  const askAgain = useAskAgain(getOrder, question, refetchGapMs);

  useConsoleEvents('order-changed', (event) => {
    if (event.orderId !== id) return;
    // Not what was rendered last: several events may come before the next rendering.
    const before = client.getQueryData<OrderDetail>(key);
    if (before === undefined) {
      // The first answer, which is under way, may have been read before it.
      if (answer.isFetching) askAgain();
      return;
    }
    if (event.state !== before.state) {
      void answer.refetch();
      void fetchAgain(client, keyOf(listOrderReadings, { params: { id } }));
      return;
    }
    setHeardAtMs(Date.parse(event.at));
    const { energyWh, amountFen, electricityFeeFen, serviceFeeFen, powerW, socPercent } = event;
    client.setQueryData<OrderDetail>(key, {
      ...before,
      energyWh: energyWh as OrderDetail['energyWh'],
      amountFen: amountFen as OrderDetail['amountFen'],
      electricityFeeFen: electricityFeeFen as OrderDetail['electricityFeeFen'],
      serviceFeeFen: serviceFeeFen as OrderDetail['serviceFeeFen'],
      powerW: powerW ?? before.powerW,
      socPercent: socPercent ?? before.socPercent,
    });
    askAgain();
  });
  useConsoleEvents('station-changed', ({ stationId, online: stationOnline }) => {
    const known = client.getQueryData<OrderDetail>(key);
    if (known?.stationId !== stationId || known.stationOnline === stationOnline) return;
    client.setQueryData<OrderDetail>(key, { ...known, stationOnline });
  });

  const go = useGo();
  const mayGo = useMayGo();
  const tellStory = mayGo('orderStory') ? () => go('orderStory', { id }) : undefined;
  useOfferedActs(
    answer.data === undefined
      ? []
      : [
          ...actsOf(answer.data).map((act) => ({ ...act, key: `order.${act.key}` })),
          ...(tellStory === undefined
            ? []
            : [{ key: 'order.story', label: phrase('shell.whatHappened'), onClick: tellStory }]),
          { key: 'order.print', label: phrase('orders.print'), onClick: () => window.print() },
          { key: 'order.refresh', label: phrase('list.refresh'), onClick: () => void answer.refetch() },
        ],
  );

  if (answer.isPending) return <Waiting />;
  if (answer.data === undefined) {
    const list = listOf(pathname);
    const absent = { title: phrase('orders.notFound'), list, listName: phrase(listNames[list]) };
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const order = lines === null ? answer.data : { ...answer.data, lines };
  const acts = actsOf(order);
  const waits = order.waitsFor === 'person';
  return (
    <div className={styles.page}>
      <h1 className="for-readers">{`${phrase('orders.order')} ${order.number}`}</h1>
      <Answer
        order={order}
        // The panel below has this button beside the proposed figure.
        acts={waits ? acts.filter(({ key }) => key !== 'settle') : acts}
        refetch={() => void answer.refetch()}
        isFetching={answer.isFetching}
        tellStory={tellStory}
      />
      {order.waits.length === 0 ? null : (
        <Suspense>
          <WaitingActs waits={order.waits} />
        </Suspense>
      )}
      {waits ? <WaitingPanel order={order} settle={acts.find(({ key }) => key === 'settle')} /> : null}
      <OrderSteps order={order} />
      {waits || order.flags.length === 0 ? null : <FlagList flags={order.flags} />}
      <div className={styles.columns}>
        <div className={styles.main}>
          <OrderCurve order={order} />
          <BillTable order={order} isEstimate={lines !== null} />
          <StationBillPanel order={order} />
          {order.state === 'completed' && can('order.shares') ? (
            <Suspense>
              {/* Money that came or went since changed the shares. */}
              <SharesPanel key={order.paidFen - order.refundedFen} order={order} />
            </Suspense>
          ) : null}
          <PostingsPanel order={order} />
          <RefundsPanel order={order} />
          <RawPanel order={order} />
        </div>
        <div className={styles.side}>
          <PaymentPanel order={order} />
          {can('invoice.read') && order.state === 'completed' ? (
            <Suspense>
              <OrderInvoices orderId={order.id} />
            </Suspense>
          ) : null}
          <Parties order={order} />
          <TimelinePanel order={order} />
        </div>
      </div>
      {overlay}
      <OrderReceipt order={order} />
    </div>
  );
}

/** The order's state and amount, and why. */
function Answer(props: {
  order: OrderDetail;
  acts: readonly RowAction[];
  refetch: () => void;
  isFetching: boolean;
  tellStory: (() => void) | undefined;
}) {
  const { order, acts, refetch, isFetching, tellStory } = props;
  const isRunning = order.startedAt !== null && order.endedAt === null;
  // The first minute is shown in seconds.
  const isFresh = isRunning && Date.now() - Date.parse(order.startedAt ?? '') < minuteMs;
  const now = useNow(isFresh ? secondMs : 15 * secondMs, isRunning);
  const durationMs = chargeDurationMs(order, now);
  // The most likely act: stop a charge, collect a debt, or else refund.
  const main = acts.find(({ key }) => key === 'stop' || key === 'collect' || key === 'refund');
  return (
    <section className={styles.answer} aria-label={phrase('orders.answer')}>
      <div className={styles.answerHead}>
        <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>
        <StateTag tone={paymentTones[order.paymentState]}>{phrase(`payment-state.${order.paymentState}`)}</StateTag>
        <CopyNumber value={order.number} />
        <div className={styles.acts}>
          {acts.map((act) => (
            <DisabledReason
              key={act.key}
              type={act === main ? 'primary' : 'default'}
              danger={act.danger}
              because={act.because}
              onClick={act.onClick}
            >
              {act.label}
            </DisabledReason>
          ))}
          {tellStory === undefined ? null : <Button onClick={tellStory}>{phrase('shell.whatHappened')}</Button>}
          <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
            {phrase('orders.print')}
          </Button>
          <Button
            icon={<ReloadOutlined />}
            loading={isFetching}
            onClick={refetch}
            aria-label={phrase('list.refresh')}
          />
        </div>
      </div>
      <div className={styles.answerBody}>
        {order.waitsFor === 'person' ? (
          <ProposedSum order={order} />
        ) : (
          <Sum label={phrase(isRunning ? 'orders.feeSoFar' : 'orders.orderAmount')} fees={order} />
        )}
        <Figure label={phrase('orders.energy')}>
          <Energy wh={order.energyWh} decimals={3} />
        </Figure>
        <Figure label={phrase('orders.duration')}>
          <span className="figure">{durationMs === null ? nothingText : durationText(durationMs)}</span>
        </Figure>
        {isRunning ? (
          <>
            <Figure label={phrase('orders.powerNow')}>
              <Power w={order.powerW} />
            </Figure>
            <Figure label={phrase('orders.soc')}>
              <span className="figure">{order.socPercent === null ? nothingText : percentText(order.socPercent)}</span>
            </Figure>
          </>
        ) : (
          <Figure label={phrase(order.refundedFen > 0 ? 'orders.netPaid' : 'orders.really')}>
            <Money fen={order.waitsFor === 'person' ? null : order.paidFen - order.refundedFen} />
          </Figure>
        )}
      </div>
      <p className={styles.because}>{storyOf(order)}</p>
    </section>
  );
}

type Fees = { amountFen: number; electricityFeeFen: number; serviceFeeFen: number };

function Sum({ label, fees }: { label: string; fees: Fees | null }) {
  return (
    <div className={styles.answerSum}>
      <span className={styles.sumLabel}>{label}</span>
      <span className={`figure ${styles.sum}`}>
        <Money fen={fees === null ? null : fees.amountFen} />
      </span>
      {fees === null ? null : (
        <span className={`figure ${styles.sumParts}`}>
          {phrase('orders.sumParts', {
            electricity: moneyText(fees.electricityFeeFen),
            service: moneyText(fees.serviceFeeFen),
          })}
        </span>
      )}
    </div>
  );
}

/** A proposed amount of an unsettled order, if there is one; never a zero that nobody decided. */
function ProposedSum({ order }: { order: OrderDetail }) {
  const preview = proposalPreview(order);
  if (!isBelieved(order) || preview?.kind !== 'bill') return <Sum label={phrase('orders.notSettled')} fees={null} />;
  return <Sum label={phrase('orders.notSettledProposed')} fees={preview.bill} />;
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.figure}>
      <span className={styles.sumLabel}>{label}</span>
      <span className={styles.figureValue}>{children}</span>
    </div>
  );
}

/** Why the order is in its state, in one or two sentences. */
function storyOf(order: OrderDetail): string {
  const held = moneyText(order.heldFen);
  switch (order.state) {
    case 'placed':
      return phrase('orders.storyPlaced', { held });
    case 'charging':
      return phrase('orders.storyCharging', { held, since: isoDateTime(order.startedAt ?? order.placedAt) ?? '' });
    case 'settling':
      return settlingStoryOf(order);
    case 'cancelled':
      return phrase('orders.storyCancelled');
    case 'completed':
      return `${phrase('orders.storyCompleted', { reason: reasonOf(order) })}${paidStoryOf(order)}`;
  }
}

function settlingStoryOf(order: OrderDetail): string {
  switch (order.waitsFor) {
    case 'person':
      return phrase('orders.storyWaitsPerson', { reason: reasonOf(order) });
    case 'stop':
      return phrase('orders.storyWaitsStop');
    case null:
      return phrase('orders.storySettling', { reason: reasonOf(order) });
  }
}

function reasonOf(order: OrderDetail): string {
  return order.stopReason === null ? phrase('orders.reasonUnknown') : phrase(`stop-reason.${order.stopReason}`);
}

/** Who charged, where, and how the charge was started. */
function Parties({ order }: { order: OrderDetail }) {
  const facts: { name: string; value: ReactNode }[] = [
    { name: phrase('orders.customer'), value: order.userName ?? nothingText },
    { name: phrase('orders.phone'), value: order.phone === null ? nothingText : <CopyNumber value={order.phone} /> },
    {
      name: phrase('orders.card'),
      value: order.cardNumber === null ? nothingText : <CopyNumber value={order.cardNumber} />,
    },
    ...(order.groupName === null || order.groupCardNumber === null
      ? []
      : [
          {
            name: phrase('orders.groupName'),
            value: (
              <ScreenLink screen="groupList" query={{ name: order.groupName }}>
                {order.groupName}
              </ScreenLink>
            ),
          },
          { name: phrase('orders.groupCardNumber'), value: <CopyNumber value={order.groupCardNumber} /> },
        ]),
    { name: phrase('orders.startMode'), value: phrase(`start-mode.${order.startMode}`) },
    ...(order.expectedDurationMs === null
      ? []
      : [{ name: phrase('orders.expectedDuration'), value: durationText(order.expectedDurationMs) }]),
    { name: phrase('orders.site'), value: order.siteName },
    {
      name: phrase('orders.station'),
      value: (
        <ScreenLink screen="deviceDetail" query={{ id: order.stationId }}>
          {order.stationName}
        </ScreenLink>
      ),
    },
    { name: phrase('orders.stationNumber'), value: <CopyNumber value={order.stationNumber} /> },
    { name: phrase('orders.port'), value: portText({ number: order.connectorNumber }) },
    {
      name: phrase('orders.stationType'),
      value: `${phrase(`station-type.${order.stationType}`)} · ${phrase(`equipment-type.${order.equipmentType}`)}`,
    },
    { name: phrase('orders.agent'), value: order.agentName ?? phrase('list.ofPlatform') },
    { name: phrase('orders.billingType'), value: phrase(`billing-type.${order.billingType}`) },
    { name: phrase('orders.rule'), value: ruleText(order) },
    { name: phrase('orders.meterStart'), value: meterText(order.meterStartWh) },
    { name: phrase('orders.meterStop'), value: meterText(order.meterStopWh) },
    ...(order.vin === null ? [] : [{ name: phrase('orders.vin'), value: <CopyNumber value={order.vin} /> }]),
    ...(order.plate === null ? [] : [{ name: phrase('orders.plate'), value: <CopyNumber value={order.plate} /> }]),
    ...(order.transactionKey === null
      ? []
      : [{ name: phrase('orders.transactionKey'), value: <CopyNumber value={order.transactionKey} /> }]),
    ...(order.stopCode === null ? [] : [{ name: phrase('orders.stopCode'), value: order.stopCode }]),
  ];
  return (
    <Panel title={phrase('orders.parties')}>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function meterText(wh: number | null): ReactNode {
  return <span className="figure">{wh === null ? nothingText : `${energyText(wh, 3)} kWh`}</span>;
}

/** A skeleton of the page. */
function Waiting() {
  return (
    <div className={styles.page} aria-busy="true">
      <section className={styles.answer}>
        <Skeleton active title={{ width: 240 }} paragraph={{ rows: 2 }} />
      </section>
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.waiting}>
            <div className={styles.block} style={{ height: 280 }} />
          </div>
          <div className={styles.waiting}>
            <Skeleton active paragraph={{ rows: 5 }} />
          </div>
        </div>
        <div className={styles.side}>
          <div className={styles.waiting}>
            <Skeleton active paragraph={{ rows: 6 }} />
          </div>
        </div>
      </div>
    </div>
  );
}
