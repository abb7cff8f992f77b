import { listOrders, type Order } from '@voltdeck/contract/orders';
import { getStation, listStations, type StationDetail } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import { Button, Segmented, Skeleton } from 'antd';
import { Activity, type ReactNode, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { orderScreen } from '../session/order-screen.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Energy } from '../ui/Energy.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { Money } from '../ui/Money.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { orderStateText } from '../ui/order-state-text.ts';
import { Panel } from '../ui/Panel.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone, onlineTone, orderTones } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { useAddress } from '../ui/use-address.ts';
import { useReopenedDraft } from '../ui/use-draft.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { withWords } from '../words.ts';
import { StationControl } from './StationControl.tsx';
import { StationEnergy } from './StationEnergy.tsx';
import { StationFaults } from './StationFaults.tsx';
import { stationActs } from './station-acts.ts';
import styles from './stations.module.css';

const StationLog = lazyPart(withWords(['logs', 'ocpp', 'ykc'], () => import('../logs/StationLog.tsx')));
const ConnectionHelp = lazyPart(() => import('./ConnectionHelp.tsx'));
const StationFormDrawer = lazyPart(() => import('./StationFormDrawer.tsx'));

/** Minimum interval between fetches, since a station's events come in bursts. */
const refetchGapMs = 2_000;
const recentOrders = 10;

/** One station: its ports live, its details, its orders and its latest frames; /deviceDetail?id=. */
export default function StationPage() {
  const id = useRecordId<StationId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('stations.noSuchStation')}
        text={phrase('stations.noSuchStationText')}
        action={
          <ScreenLink screen="deviceList">{phrase('shell.backToList', { list: phrase('stations.title') })}</ScreenLink>
        }
      />
    );
  }
  return <StationOf key={id} id={id} />;
}

function StationOf({ id }: { id: StationId }) {
  const can = useCan();
  const question = { params: { id } };
  const answer = useAnswer(getStation, question);
  useTabTitle(answer.data?.name);
  const ordersQuestion = { query: { stationId: id, pageSize: recentOrders } };
  const orders = useAnswer(listOrders, ordersQuestion, { enabled: can('order.read') });
  const [search] = useSearchParams();
  const isLog = search.get('tab') === 'log' && can('log.read');
  const go = useGo();
  // A deleted station has nothing left to show.
  const { actsOf } = useActs<StationDetail>(
    stationActs<StationDetail>(() => go('deviceList')),
    undefined,
    { list: listStations },
  );
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isFormOpen, setFormOpen] = useState(false);
  useReopenedDraft(answer.data === undefined ? null : `station ${id}`, () => setFormOpen(true));
  const askAgain = useAskAgain(getStation, question, refetchGapMs);
  const askOrders = useAskAgain(listOrders, ordersQuestion, refetchGapMs);
  /** Before the first answer, every port may be one of its. */
  const isOwnPort = (connectorId: number | null) =>
    answer.isPending || answer.data?.ports.some((port) => port.id === connectorId) === true;
  useConsoleEvents('connector-changed', (event) => {
    if (event.stationId === id) askAgain();
  });
  useConsoleEvents('station-changed', (event) => {
    if (event.stationId === id) askAgain();
  });
  useConsoleEvents('port-order-changed', (event) => {
    if (isOwnPort(event.connectorId)) askAgain();
  });
  useConsoleEvents('order-changed', (event) => {
    if (!isOwnPort(event.connectorId)) return;
    askAgain();
    askOrders();
  });

  useOfferedActs(
    answer.data === undefined
      ? []
      : [
          ...(can('station.edit')
            ? [{ key: 'station.edit', label: phrase('stations.edit'), onClick: () => setFormOpen(true) }]
            : []),
          { key: 'station.story', label: phrase('shell.whatHappened'), onClick: () => go('stationStory', { id }) },
          { key: 'station.help', label: phrase('stations.connectionHelp'), onClick: () => setHelpOpen(true) },
          ...actsOf(answer.data).map((act) => ({ ...act, key: `station.${act.key}` })),
        ],
  );

  if (answer.isPending) return <Waiting />;
  if (answer.data === undefined) {
    const absent = {
      title: phrase('stations.notFound'),
      list: 'deviceList',
      listName: phrase('stations.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const station = answer.data;
  const acts = actsOf(station);
  return (
    <div className={styles.page}>
      <StationHead station={station} acts={acts} onEdit={() => setFormOpen(true)} onHelp={() => setHelpOpen(true)} />
      {can('log.read') ? <Views isLog={isLog} /> : null}
      {isLog ? (
        <Suspense fallback={<LogLoading />}>
          <StationLog station={station} />
        </Suspense>
      ) : null}
      <Activity mode={isLog ? 'hidden' : 'visible'}>
        <Overview station={station} orders={orders} />
      </Activity>
      <Suspense>
        <ConnectionHelp station={station} password={null} open={isHelpOpen} onClose={() => setHelpOpen(false)} />
        <StationFormDrawer
          task={{ kind: 'edit', station }}
          open={isFormOpen}
          onClose={() => setFormOpen(false)}
          onSaved={() => void answer.refetch()}
        />
      </Suspense>
    </div>
  );
}

type Acts = ReturnType<ReturnType<typeof useActs<StationDetail>>['actsOf']>;
type HeadProps = { station: StationDetail; acts: Acts; onEdit: () => void; onHelp: () => void };

/** The state at a glance, and what can be done. */
function StationHead({ station, acts, onEdit, onHelp }: HeadProps) {
  const can = useCan();
  const go = useGo();
  return (
    <section className={styles.answerPanel} aria-label={phrase('stations.glance')}>
      <div className={styles.head}>
        <h1 className={styles.stationName}>{station.name}</h1>
        <StateTag tone={onlineTone(station.online)}>
          {phrase(station.online ? 'station-state.online' : 'station-state.offline')}
        </StateTag>
        <StateTag tone={enabledTone(station.enabled)}>
          {phrase(station.enabled ? 'station-state.enabled' : 'station-state.disabled')}
        </StateTag>
        {station.cardTariffId === null && !station.free ? (
          <StateTag tone="fault">{phrase('stations.noCardTariff')}</StateTag>
        ) : null}
        <CopyNumber value={station.number} />
        <div className={styles.headActs}>
          {can('station.edit') ? <Button onClick={onEdit}>{phrase('stations.edit')}</Button> : null}
          <Button onClick={onHelp}>{phrase('stations.connectionHelp')}</Button>
          <Button onClick={() => go('stationStory', { id: station.id })}>{phrase('shell.whatHappened')}</Button>
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.glance}>
        <PortTally tally={station.connectors} named of={{ stationId: station.id }} />
        <span className={styles.quiet}>
          {station.online ? phrase('stations.onlineSince') : phrase('stations.offlineSince')}{' '}
          <Instant at={station.online ? station.onlineSince : station.offlineSince} />
        </span>
        <span className={styles.quiet}>
          {phrase('stations.lastSeen')} <Instant at={station.lastSeenAt} />
        </span>
      </p>
    </section>
  );
}

/** Chooses between the overview and the log; the choice is in the address. */
function Views({ isLog }: { isLog: boolean }) {
  const [, setSearch] = useAddress();
  return (
    <div>
      <Segmented
        aria-label={phrase('stations.views')}
        value={isLog ? 'log' : 'overview'}
        options={[
          { value: 'overview', label: phrase('stations.overview') },
          { value: 'log', label: phrase('stations.log') },
        ]}
        onChange={(tab) =>
          setSearch(
            (current) => {
              const next = new URLSearchParams(current);
              if (tab === 'log') next.set('tab', tab);
              else next.delete('tab');
              return next;
            },
            { replace: true },
          )
        }
      />
    </div>
  );
}

type Orders = ReturnType<typeof useAnswer<typeof listOrders>>;

function Overview({ station, orders }: { station: StationDetail; orders: Orders }) {
  const can = useCan();
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <StationFaults station={station} />
        <Panel title={phrase('stations.portsAndControl')} flush>
          <StationControl station={station} />
        </Panel>
        <StationEnergy stationId={station.id} />
        {can('order.read') ? (
          <Panel
            title={phrase('stations.recentOrders')}
            flush
            tools={
              <ScreenLink screen="orderListHistory" query={{ stationNumber: station.number }}>
                {phrase('stations.allOrders')}
              </ScreenLink>
            }
          >
            {orders.isPending ? (
              <div className={styles.padded}>
                <Skeleton active paragraph={{ rows: 4 }} />
              </div>
            ) : orders.data === undefined ? (
              <ErrorState failure={orders.error} retry={() => void orders.refetch()} />
            ) : orders.data.items.length === 0 ? (
              <EmptyState title={phrase('stations.noOrders')} />
            ) : (
              <RecentOrders orders={orders.data.items} />
            )}
          </Panel>
        ) : null}
      </div>
      <div className={styles.side}>
        <Facts title={phrase('stations.about')} facts={aboutOf(station)} />
        <Facts title={phrase('stations.device')} facts={deviceOf(station)} />
      </div>
    </div>
  );
}

/** The most important facts on a phone, without scrolling sideways. */
function RecentOrderCards({ orders }: { orders: readonly Order[] }) {
  return (
    <ul className={styles.orderCards} aria-label={phrase('stations.recentOrders')}>
      {orders.map((order) => (
        <li key={order.id} className={styles.orderCard}>
          <ScreenLink screen={orderScreen(order)} query={{ id: order.id }} className={styles.mono}>
            {order.number}
          </ScreenLink>
          <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>
          <span className={styles.quiet}>
            <Instant at={order.placedAt} />
          </span>
          <span>
            <Energy wh={order.energyWh} />
          </span>
          <span>
            <Money fen={order.waitsFor === 'person' ? null : order.amountFen} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function RecentOrders({ orders }: { orders: readonly Order[] }) {
  if (useNarrow()) return <RecentOrderCards orders={orders} />;
  return (
    <ScrollRegion label={phrase('stations.recentOrders')}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('orders.number')}</th>
            <th scope="col">{phrase('orders.state')}</th>
            <th scope="col">{phrase('orders.portNumber')}</th>
            <th scope="col">{phrase('orders.placedAt')}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.energy')} (kWh)`}</th>
            <th scope="col" className={styles.right}>{`${phrase('orders.orderAmount')} (¥)`}</th>
            <th scope="col">{phrase('orders.stopReason')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <td className={styles.mono}>
                <ScreenLink screen={orderScreen(order)} query={{ id: order.id }}>
                  {order.number}
                </ScreenLink>
              </td>
              <td>
                <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>
              </td>
              <td>{order.connectorNumber}</td>
              <td>
                <Instant at={order.placedAt} />
              </td>
              <td className={styles.right}>
                <Energy wh={order.energyWh} bare />
              </td>
              <td className={styles.right}>
                <Money fen={order.waitsFor === 'person' ? null : order.amountFen} bare />
              </td>
              <td className={styles.wraps}>
                {order.stopReason === null ? nothingText : phrase(`stop-reason.${order.stopReason}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

type Fact = { name: string; value: ReactNode };

function aboutOf(station: StationDetail): Fact[] {
  return [
    {
      name: phrase('stations.site'),
      value: (
        <ScreenLink screen="deviceList" query={{ siteId: station.siteId }}>
          {station.siteName}
        </ScreenLink>
      ),
    },
    { name: phrase('stations.agent'), value: station.agentName ?? phrase('list.ofPlatform') },
    {
      name: phrase('stations.type'),
      value: `${phrase(`station-type.${station.type}`)} · ${phrase(`equipment-type.${station.equipmentType}`)}`,
    },
    { name: phrase('stations.connectorCount'), value: <span className="figure">{station.connectorCount}</span> },
    { name: phrase('stations.maxPower'), value: <span className="figure">{station.maxPowerKw.toFixed(1)} kW</span> },
    {
      name: phrase('stations.rated'),
      value: (
        <span className="figure">
          {station.voltageV ?? nothingText} V · {station.currentA ?? nothingText} A
        </span>
      ),
    },
    { name: phrase('stations.cardTariff'), value: station.cardTariffName ?? nothingText },
    { name: phrase('stations.wechatTariff'), value: station.wechatTariffName ?? nothingText },
    { name: phrase('stations.expiresOn'), value: <span className="figure">{station.expiresOn ?? nothingText}</span> },
    { name: phrase('stations.totalEnergy'), value: <Energy wh={station.totalEnergyWh} /> },
    { name: phrase('stations.createdAt'), value: <Instant at={station.createdAt} /> },
  ];
}

function deviceOf(station: StationDetail): Fact[] {
  return [
    { name: phrase('stations.protocol'), value: phrase(`protocol.${station.protocol}`) },
    { name: phrase('stations.vendor'), value: station.vendor ?? nothingText },
    { name: phrase('stations.model'), value: station.model ?? nothingText },
    { name: phrase('stations.serialNumber'), value: station.serialNumber ?? nothingText },
    { name: phrase('stations.firmware'), value: station.firmwareVersion ?? nothingText },
    { name: phrase('stations.bootedAt'), value: <Instant at={station.bootedAt} /> },
    { name: phrase('stations.remoteAddress'), value: station.remoteAddress ?? nothingText },
  ];
}

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Panel title={title}>
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

function LogLoading() {
  return (
    <section className={styles.answerPanel} aria-busy="true">
      <Skeleton active paragraph={{ rows: 8 }} />
    </section>
  );
}

/** A skeleton of the page. */
function Waiting() {
  return (
    <div className={styles.page} aria-busy="true">
      <section className={styles.answerPanel}>
        <Skeleton active title={{ width: 240 }} paragraph={{ rows: 1 }} />
      </section>
      <div className={styles.columns}>
        <div className={styles.main}>
          <section className={styles.answerPanel}>
            <Skeleton active paragraph={{ rows: 5 }} />
          </section>
          <section className={styles.answerPanel}>
            <Skeleton active paragraph={{ rows: 6 }} />
          </section>
        </div>
        <div className={styles.side}>
          <section className={styles.answerPanel}>
            <Skeleton active paragraph={{ rows: 8 }} />
          </section>
        </div>
      </div>
    </div>
  );
}
