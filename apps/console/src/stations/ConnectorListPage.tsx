import { QrcodeOutlined } from '@ant-design/icons';
import { canCommandStation } from '@voltdeck/charging/abilities';
import {
  type Connector,
  listConnectors,
  openConnector,
  openConnectors,
  type Rating,
  ratedCurrentOf,
  ratedVoltageOf,
} from '@voltdeck/contract/connectors';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { idParameter } from '@voltdeck/contract/fields';
import { commandStation } from '@voltdeck/contract/station-commands';
import { getStation, listStations } from '@voltdeck/contract/stations';
import { stopOrder } from '@voltdeck/contract/stop-order';
import { Segmented } from 'antd';
import { Suspense, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { nothingText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import type { LivePatches } from '../ui/list/list-view.ts';
import { askingMany, auditOf } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { faultText } from '../ui/ports/fault-text.ts';
import { useAddress } from '../ui/use-address.ts';
import { withWords } from '../words.ts';
import { filterIn } from './filter-in.ts';
import { offersUnlock } from './offers-unlock.ts';
import { isOutcome, outcomeView } from './outcome.ts';
import { PortState } from './PortState.tsx';
import { startRefusal } from './start-refusal.ts';

/** Lazy: most visits to a list never open it. */
const PortWall = lazyPart(() => import('../ui/ports/PortWall.tsx'));
const QrDialog = lazyPart(() => import('./QrDialog.tsx'));
const MovePortForm = lazyPart(withWords(['stationPage'], () => import('./MovePortForm.tsx')));
const QrSheetDialog = lazyPart(withWords(['labels'], () => import('./QrSheetDialog.tsx')));
const PortFormDrawer = lazyPart(() => import('./PortFormDrawer.tsx'));
const StartOnPort = lazyPart(withWords(['stationPage'], () => import('./StartOnPort.tsx')));
const TestRunDrawer = lazyPart(withWords(['portTestRuns', 'errors'], () => import('./TestRunDrawer.tsx')));

const wallPageSize = 100;

const filters: Filters<typeof listConnectors> = {
  stationNumber: {},
  number: {},
  name: {},
  siteId: { title: 'stations.site' },
  state: { words: 'connector-filter' },
  stationId: { title: 'stations.station' },
  stationType: {},
  equipmentType: {},
  bayNumber: {},
  kind: {},
  open: {},
  agentId: { title: 'stations.agent', may: seesAgents },
};

const look: ListPageProps<typeof listConnectors>['look'] = {
  siteName: { widthPx: 188, isPinned: true },
  stationName: { isPinned: true, link: ({ stationId }) => place('deviceDetail', { id: stationId }) },
  name: { widthPx: 160, isPinned: true, isKeyFact: true },
  state: { widthPx: 124, isKeyFact: true, render: (port) => <PortState port={port} /> },
  stateSince: { widthPx: 132 },
  orderNumber: {
    widthPx: 224,
    link: ({ orderId }) => (orderId === null ? null : place('orderListDetailReal', { id: orderId })),
  },
  powerW: { isKeyFact: true },
  open: { tone: ({ open }) => (open ? 'free' : 'offline') },
  equipmentType: { isHidden: true },
  groundLock: { isHidden: true },
  parkingBay: { isHidden: true },
  kind: { isHidden: true },
  nationalStandard: { isHidden: true },
  ratedVoltage: { isHidden: true, widthPx: 152, text: (port) => ratingText(ratedVoltageOf(port)) },
  ratedCurrent: { isHidden: true, widthPx: 136, text: (port) => ratingText(ratedCurrentOf(port)) },
  ratedPowerW: { isHidden: true },
  faultCode: { title: 'connector-state.fault', widthPx: 188, text: (port) => faultText(port) || nothingText },
};

const faultLook: typeof look = { ...look, faultCode: { ...look?.faultCode, isKeyFact: true } };

/** Who looks for faults needs their cause, not the order and the power that a faulty port lacks. */
const faultColumns = faultColumnsOf(Object.keys(listConnectors.columns) as (keyof typeof listConnectors.columns)[]);

function faultColumnsOf<Key extends string>(keys: readonly Key[]): readonly Key[] {
  const cause = keys.filter((key) => key === 'faultCode');
  return keys.filter((key) => key !== 'faultCode').flatMap((key) => (key === 'state' ? [key, ...cause] : [key]));
}

function ratingText(rating: Rating): string {
  if (rating === null) return nothingText;
  return rating.isOfStation ? phrase('ports.ofStation', { figure: rating.text }) : rating.text;
}

function commandRefusal({ stationEnabled: enabled, stationOnline: online }: Connector): string | undefined {
  const reachable = canCommandStation({ enabled, online });
  return reachable.allowed ? undefined : phrase(`error.${reachable.because}`);
}

/** Who pays for a charge that a link starts. */
const takes: Taking<'portList', 'start'> = { cardId: idParameter<'card'>(), customerId: idParameter<'customer'>() };

const acts: Acts<Connector> = {
  start: {
    on: 'row',
    label: 'stations.start',
    may: 'order.start',
    isFor: ({ orderId }) => orderId === null,
    because: startRefusal,
    overlay: (port, { open, close, given }) => (
      <StartOnPort port={port} given={givenValues(takes, given)} open={open} onClose={close} />
    ),
  },
  stop: {
    on: 'row',
    label: 'stations.stop',
    may: 'order.stop',
    danger: true,
    isFor: ({ orderId }) => orderId !== null,
    because: commandRefusal,
    deed: ({ orderId, orderNumber, stationName, number }) => ({
      ask: {
        question: phrase('stations.stopQuestion', { name: stationName, number }),
        details: phrase('stations.stopDetails', { number: orderNumber ?? nothingText }),
        verb: phrase('orders.stopVerb'),
      },
      do: async (idempotencyKey) => {
        if (orderId === null) return null;
        const { agreed } = await call(stopOrder, { params: { id: orderId }, idempotencyKey });
        return agreed ? phrase('orders.stopAgreed') : { warning: phrase('orders.stopRefused') };
      },
    }),
  },
  qr: {
    on: 'row',
    label: 'stations.qr',
    overlay: (port, { open, close }) => <QrDialog port={port} open={open} onClose={close} />,
  },
  test: {
    on: 'row',
    label: 'stations.testRun',
    may: 'connector.test',
    overlay: (port, { open, close }) => <TestRunDrawer port={port} open={open} onClose={close} />,
  },
  edit: {
    on: 'row',
    label: 'stations.edit',
    may: 'connector.edit',
    overlay: (port, { open, close, tell }) => (
      <PortFormDrawer
        port={port}
        open={open}
        onClose={close}
        onSaved={({ name }) => tell(phrase('stations.saved', { name }))}
      />
    ),
  },
  move: {
    on: 'row',
    label: 'stations.movePort',
    may: 'connector.edit',
    because: ({ orderId }) => (orderId === null ? undefined : phrase('stations.moveWhileCharging')),
    overlay: (port, { open, close, tell }) => (
      <MovePortForm port={port} open={open} onClose={close} onSaved={(moved) => tell(movedText(moved))} />
    ),
  },
  unlock: {
    on: 'row',
    label: 'stations.unlock',
    may: 'station.command',
    isFor: offersUnlock,
    because: commandRefusal,
    danger: ({ orderId }) => orderId !== null,
    deed: ({ stationId, stationName, number, orderId }) => ({
      ask: {
        question: phrase('stations.unlockQuestion', { name: stationName, number }),
        details: phrase(orderId === null ? 'stations.unlockIdle' : 'stations.unlockDetails'),
        verb: phrase('command.unlock-connector'),
      },
      do: async (idempotencyKey) => {
        const answer: unknown = await call(commandStation, {
          params: { id: stationId },
          body: { kind: 'unlock-connector', connectorNumber: number },
          idempotencyKey,
        });
        const view = isOutcome(answer) ? outcomeView(answer) : null;
        const text = phrase(`command-outcome.${view?.kind ?? 'raw'}`);
        if (view?.tone === 'free') return text;
        return { warning: view?.details == null ? text : `${text} · ${view.details}` };
      },
    }),
    changes: [getStation],
  },
  open: {
    on: 'row',
    label: ({ open }) => (open ? 'stations.closePort' : 'stations.openPort'),
    may: 'connector.edit',
    danger: ({ open }) => open,
    deed: ({ id, name, open }) => ({
      ...(open
        ? {
            ask: {
              question: phrase('stations.closeQuestion', { name }),
              details: phrase('stations.closeDetails'),
              verb: phrase('stations.closePort'),
            },
          }
        : {}),
      do: async (idempotencyKey) => {
        await call(openConnector, { params: { id }, body: { open: !open }, idempotencyKey });
        return phrase(open ? 'stations.closedNow' : 'stations.openedNow', { name });
      },
    }),
    changes: [listStations, getStation],
  },
  audit: auditOf('connector'),
  qrMany: {
    on: 'rows',
    label: 'stations.qrSheet',
    overlay: (ports, { open, close }) => <QrSheetDialog ports={ports} open={open} onClose={close} />,
  },
  qrAll: {
    on: 'list',
    label: 'stations.qrSheetAll',
    icon: <QrcodeOutlined />,
    overlay: ({ open, close }) => <FilteredSheet open={open} onClose={close} />,
  },
  openMany: askingMany<Connector>({
    label: 'stations.openPort',
    may: 'connector.edit',
    question: ({ length: count }) => phrase('stations.openPortsQuestion', { count }),
    verb: ({ length: count }) => phrase('stations.openPortsVerb', { count }),
    act: async (ports, idempotencyKey) =>
      phrase('stations.portsOpened', { count: await openMany(ports, true, idempotencyKey) }),
    changes: [listStations, getStation],
  }),
  closeMany: askingMany<Connector>({
    label: 'stations.closePort',
    may: 'connector.edit',
    danger: true,
    question: ({ length: count }) => phrase('stations.closePortsQuestion', { count }),
    details: (ports) => {
      const count = ports.filter(({ orderId }) => orderId !== null).length;
      return phrase(count > 0 ? 'stations.closePortsCharging' : 'stations.closeDetails', { count });
    },
    verb: ({ length: count }) => phrase('stations.closePortsVerb', { count }),
    act: async (ports, idempotencyKey) =>
      phrase('stations.portsClosed', { count: await openMany(ports, false, idempotencyKey) }),
    changes: [listStations, getStation],
  }),
};

/** Opens or closes them, all or none; the number that changed. */
async function openMany(ports: readonly Connector[], open: boolean, idempotencyKey: string): Promise<number> {
  const body = { connectorIds: ports.map(({ id }) => id), open };
  return (await call(openConnectors, { body, idempotencyKey })).changed;
}

function FilteredSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [search] = useSearchParams();
  const text = search.toString();
  const filter = useMemo(() => filterIn(listConnectors, new URLSearchParams(text)), [text]);
  return <QrSheetDialog ports={null} filter={filter} open={open} onClose={onClose} />;
}

function movedText({ stationNumber, number }: Connector): string {
  return phrase('stations.portMoved', { station: stationNumber, number });
}

type ChargeMoved = Extract<ConsoleEvent, { kind: 'order-changed' | 'port-order-changed' }>;

const isPortOf = (port: Connector, event: ChargeMoved) => port.id === event.connectorId;

function withCharge(port: Connector, event: ChargeMoved): Connector {
  if (event.state === 'charging') {
    return {
      ...port,
      orderId: event.orderId,
      orderNumber: event.number,
      powerW: event.powerW ?? port.powerW,
      socPercent: event.socPercent ?? port.socPercent,
    };
  }
  return port.orderId === event.orderId
    ? { ...port, orderId: null, orderNumber: null, powerW: null, socPercent: null }
    : port;
}

/** Updates states, orders and power of ports by server push. */
const live: LivePatches<typeof listConnectors> = {
  'connector-changed': {
    concerns: (port, event) => port.id === event.connectorId,
    patch: (port, event) => ({
      ...port,
      state: event.state,
      stateSince: port.state === event.state ? port.stateSince : event.at,
      ...(event.state === 'fault' ? {} : { faultCode: null, faultInfo: null }),
    }),
  },
  'order-changed': { concerns: isPortOf, patch: withCharge },
  'port-order-changed': { concerns: isPortOf, patch: withCharge },
  'station-changed': {
    concerns: (port, event) => port.stationId === event.stationId,
    patch: (port, event) => ({
      ...port,
      stationOnline: event.online,
      ...(event.online ? {} : { state: 'offline' as const, stateSince: event.at }),
    }),
  },
};

/** Gun ports as a table or as a wall of tiles; /portList. */
export default function ConnectorListPage() {
  const [search] = useSearchParams();
  const isWall = search.get('view') === 'wall';
  const isFaults = search.get('state') === 'fault';
  return (
    <ListPage
      list={listConnectors}
      title="stations.portsTitle"
      record="stations.port"
      nameOf={({ stationName, name }) => `${stationName} ${name}`}
      filters={filters}
      look={isFaults ? faultLook : look}
      {...(isFaults ? { columns: faultColumns } : {})}
      acts={acts}
      live={live}
      tools={<ViewSwitch isWall={isWall} />}
      {...(isWall
        ? {
            view: (rows: readonly Connector[], isLoading: boolean) => (
              <Suspense>
                <PortWall ports={rows} isLoading={isLoading} />
              </Suspense>
            ),
          }
        : {})}
      empty={{ title: 'stations.noPorts', text: 'stations.noPortsText' }}
    />
  );
}

/** The wall shows as many ports as a page may hold. */
function ViewSwitch({ isWall }: { isWall: boolean }) {
  const [, setSearch] = useAddress();
  const change = (view: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of ['page', 'view', 'pageSize']) next.delete(name);
        if (view === 'wall') {
          next.set('view', view);
          next.set('pageSize', String(wallPageSize));
        }
        return next;
      },
      { replace: true },
    );
  return (
    <Segmented
      aria-label={phrase('stations.view')}
      value={isWall ? 'wall' : 'table'}
      onChange={change}
      options={[
        { value: 'table', label: phrase('stations.asTable') },
        { value: 'wall', label: phrase('stations.asWall') },
      ]}
    />
  );
}
