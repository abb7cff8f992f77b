import { canCommandStation } from '@voltdeck/charging/abilities';
import { connectorGroups, stationTypes } from '@voltdeck/charging/states';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { stopOrder } from '@voltdeck/contract/orders';
import {
  type Connector,
  changeConnector,
  commandStation,
  getStation,
  listConnectors,
  listStations,
} from '@voltdeck/contract/stations';
import { App, Segmented } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { agentChoices, siteChoices, stationChoices } from '../ui/list/record-choices.ts';
import type { ListColumn, ListFilter, LivePatches, RowAction } from '../ui/list-page.ts';
import { Power } from '../ui/Power.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useTell } from '../ui/use-tell.ts';
import { offersUnlock } from './offers-unlock.ts';
import { isOutcome, outcomeView } from './outcome.ts';
import { PortState } from './PortState.tsx';
import { startRefusal } from './start-refusal.ts';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const PortWall = lazy(() => import('./PortWall.tsx'));
const QrDialog = lazy(() => import('./QrDialog.tsx'));
const StartChargeForm = lazy(() => import('./StartChargeForm.tsx'));

const wallPageSize = 100;

function connectorColumns(): ListColumn<typeof listConnectors>[] {
  return [
    {
      key: 'name',
      title: phrase('stations.portName'),
      widthPx: 152,
      initiallyPinned: true,
      render: (port) => <Link to={`/deviceDetail?id=${port.stationId}`}>{port.name}</Link>,
    },
    {
      key: 'state',
      title: phrase('stations.state'),
      widthPx: 124,
      render: (port) => <PortState port={port} />,
    },
    {
      key: 'stateSince',
      title: phrase('stations.since'),
      widthPx: 132,
      sort: 'stateSince',
      render: (port) => <Instant at={port.stateSince} />,
    },
    {
      key: 'order',
      title: phrase('stations.currentOrder'),
      widthPx: 224,
      render: (port) =>
        port.orderId === null || port.orderNumber === null ? (
          nothingText
        ) : (
          <CopyNumber value={port.orderNumber}>
            <Link to={`/orderListDetailReal?id=${port.orderId}`}>{port.orderNumber}</Link>
          </CopyNumber>
        ),
    },
    {
      key: 'power',
      title: `${phrase('orders.power')} (kW)`,
      widthPx: 100,
      align: 'right',
      render: (port) => <Power w={port.powerW} bare />,
    },
    {
      key: 'soc',
      title: `${phrase('orders.soc')} (%)`,
      widthPx: 88,
      align: 'right',
      render: (port) => <span className="figure">{port.socPercent ?? nothingText}</span>,
    },
    {
      key: 'open',
      title: phrase('stations.open'),
      widthPx: 88,
      render: (port) => (
        <StateTag tone={port.open ? 'free' : 'offline'}>
          {phrase(port.open ? 'connector-open.open' : 'connector-open.closed')}
        </StateTag>
      ),
    },
    {
      key: 'stationNumber',
      title: phrase('stations.number'),
      widthPx: 168,
      sort: 'stationNumber',
      render: (port) => <CopyNumber value={port.stationNumber} />,
    },
    {
      key: 'number',
      title: phrase('stations.portNo'),
      widthPx: 80,
      align: 'right',
      render: (port) => <span className="figure">{port.number}</span>,
    },
    { key: 'station', title: phrase('stations.name'), widthPx: 132, render: (port) => port.stationName },
    { key: 'site', title: phrase('stations.site'), widthPx: 188, render: (port) => port.siteName },
    {
      key: 'type',
      title: phrase('stations.type'),
      widthPx: 96,
      render: (port) => phrase(`station-type.${port.stationType}`),
    },
    {
      key: 'equipmentType',
      title: phrase('stations.equipmentType'),
      widthPx: 104,
      initiallyHidden: true,
      render: (port) => phrase(`equipment-type.${port.equipmentType}`),
    },
    {
      key: 'fault',
      title: phrase('stations.faultCode'),
      widthPx: 148,
      render: (port) => port.faultCode ?? nothingText,
    },
    {
      key: 'agent',
      title: phrase('stations.agent'),
      widthPx: 140,
      render: (port) => port.agentName ?? phrase('orders.platform'),
    },
  ];
}

function connectorFilters(): ListFilter<typeof listConnectors>[] {
  return [
    { kind: 'text', name: 'number', label: phrase('stations.number') },
    { kind: 'text', name: 'name', label: phrase('stations.portName') },
    { kind: 'record', name: 'siteId', label: phrase('stations.site'), ...siteChoices },
    {
      kind: 'choice',
      name: 'state',
      label: phrase('stations.state'),
      choices: connectorGroups.map((value) => ({ value, label: phrase(`connector-group.${value}`) })),
    },
    { kind: 'record', name: 'stationId', label: phrase('stations.station'), ...stationChoices },
    {
      kind: 'choice',
      name: 'stationType',
      label: phrase('stations.type'),
      choices: stationTypes.map((value) => ({ value, label: phrase(`station-type.${value}`) })),
    },
    {
      kind: 'flag',
      name: 'open',
      label: phrase('stations.open'),
      yes: phrase('connector-open.open'),
      no: phrase('connector-open.closed'),
    },
    { kind: 'record', name: 'agentId', label: phrase('stations.agent'), ...agentChoices },
  ];
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

/** States, orders and power of ports by server push. */
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

type Overlay = { kind: 'start' | 'qr'; port: Connector };

/** Gun ports as a table or as a wall of tiles; /portList. */
export default function ConnectorListPage() {
  const can = useCan();
  const confirm = useConfirm();
  const tell = useTell();
  const refresh = useRefresh();
  const { message } = App.useApp();
  const [search, setSearch] = useSearchParams();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isWall = search.get('view') === 'wall';
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  const close = () => setOpen(false);

  const setView = (view: string) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete('page');
        if (view === 'wall') {
          next.set('view', 'wall');
          next.set('pageSize', String(wallPageSize));
        } else {
          next.delete('view');
          next.delete('pageSize');
        }
        return next;
      },
      { replace: true },
    );

  const stop = (port: Connector) => {
    const { orderId } = port;
    if (orderId === null) return;
    void confirm({
      question: phrase('stations.stopQuestion', { name: port.stationName, number: port.number }),
      details: phrase('stations.stopDetails', { number: port.orderNumber ?? nothingText }),
      verb: phrase('orders.stopVerb'),
      danger: true,
      act: async () => {
        const { agreed } = await call(stopOrder, { params: { id: orderId } });
        if (agreed) message.success(phrase('orders.stopAgreed'));
        else message.warning(phrase('orders.stopRefused'));
        await refresh(listConnectors);
      },
    });
  };

  const unlock = (port: Connector) =>
    void confirm({
      question: phrase('stations.unlockQuestion', { name: port.stationName, number: port.number }),
      details: phrase(port.orderId === null ? 'stations.unlockIdle' : 'stations.unlockDetails'),
      verb: phrase('command.unlock-connector'),
      danger: port.orderId !== null,
      act: async () => {
        const answer: unknown = await call(commandStation, {
          params: { id: port.stationId },
          body: { kind: 'unlock-connector', connectorNumber: port.number },
        });
        const view = isOutcome(answer) ? outcomeView(answer) : null;
        const text = phrase(`command-outcome.${view?.kind ?? 'raw'}`);
        if (view?.tone === 'free') message.success(text);
        else message.warning(view?.details == null ? text : `${text} · ${view.details}`);
        await refresh(listConnectors, getStation);
      },
    });

  const setOpenState = (port: Connector) => {
    const open = !port.open;
    const act = async () => {
      await call(changeConnector, { params: { id: port.id }, body: { open } });
      message.success(phrase(open ? 'stations.openedNow' : 'stations.closedNow', { name: port.name }));
      await refresh(listConnectors, listStations, getStation);
    };
    if (open) return void act().catch(tell);
    return void confirm({
      question: phrase('stations.closeQuestion', { name: port.name }),
      details: phrase('stations.closeDetails'),
      verb: phrase('stations.closePort'),
      danger: true,
      act,
    });
  };

  const actsOf = (port: Connector): RowAction[] => {
    const reachable = canCommandStation({ enabled: port.stationEnabled, online: port.stationOnline });
    const because = reachable.allowed ? undefined : phrase(`error.${reachable.because}`);
    const acts: (RowAction & { isShown: boolean })[] = [
      {
        key: 'start',
        isShown: can('order.start') && port.orderId === null,
        label: phrase('stations.start'),
        because: startRefusal(port),
        onClick: () => show({ kind: 'start', port }),
      },
      {
        key: 'stop',
        isShown: can('order.stop') && port.orderId !== null,
        label: phrase('stations.stop'),
        danger: true,
        because,
        onClick: () => stop(port),
      },
      { key: 'qr', isShown: true, label: phrase('stations.qr'), onClick: () => show({ kind: 'qr', port }) },
      {
        key: 'unlock',
        isShown: can('station.command') && offersUnlock(port),
        label: phrase('stations.unlock'),
        because,
        onClick: () => unlock(port),
      },
      {
        key: 'open',
        isShown: can('connector.edit'),
        label: phrase(port.open ? 'stations.closePort' : 'stations.openPort'),
        danger: port.open,
        onClick: () => setOpenState(port),
      },
    ];
    return acts.filter((act) => act.isShown).map(({ isShown: _isShown, ...act }) => act);
  };

  return (
    <>
      <ListPage
        name="connectors"
        title={phrase('stations.portsTitle')}
        route={listConnectors}
        rowKey={(port) => port.id}
        rowName={(port) => port.name}
        filters={connectorFilters()}
        columns={connectorColumns()}
        rowActions={actsOf}
        live={live}
        tools={
          <Segmented
            aria-label={phrase('stations.view')}
            value={isWall ? 'wall' : 'table'}
            onChange={setView}
            options={[
              { value: 'table', label: phrase('stations.asTable') },
              { value: 'wall', label: phrase('stations.asWall') },
            ]}
          />
        }
        {...(isWall
          ? {
              view: (rows: readonly Connector[], isLoading: boolean) => (
                <Suspense>
                  <PortWall ports={rows} isLoading={isLoading} />
                </Suspense>
              ),
            }
          : {})}
        empty={{ title: phrase('stations.noPorts'), text: phrase('stations.noPortsText') }}
      />
      <Suspense>
        {overlay?.kind === 'start' ? (
          <StartChargeForm
            key={overlay.port.id}
            ports={[overlay.port]}
            chosen={overlay.port.id}
            open={isOpen}
            onClose={close}
            onStarted={(order) => message.success(phrase('stations.startAgreed', { number: order.number }))}
          />
        ) : null}
        {overlay?.kind === 'qr' ? (
          <QrDialog key={overlay.port.id} port={overlay.port} open={isOpen} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}
