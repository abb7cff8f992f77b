import { PlusOutlined } from '@ant-design/icons';
import { connectorGroups, equipmentTypes, protocols, stationTypes, tariffStates } from '@voltdeck/charging/states';
import {
  deleteStation,
  enableStation,
  getStation,
  listConnectors,
  listStations,
  type Station,
} from '@voltdeck/contract/stations';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../api/call.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useMayOpen } from '../session/use-may-open.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { Energy } from '../ui/Energy.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import { agentChoices, siteChoices } from '../ui/list/record-choices.ts';
import type { BulkAction, ListColumn, ListFilter, RowAction } from '../ui/list-page.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone, onlineTone } from '../ui/state-colours.ts';
import { useReopenedDraft } from '../ui/use-draft.ts';
import { useTell } from '../ui/use-tell.ts';
import { DifferingTariffs } from './DifferingTariffs.tsx';
import { RunningTariff } from './RunningTariff.tsx';
import type { StationFormTask, StationSaved } from './StationFormDrawer.tsx';
import { UnknownStations } from './UnknownStations.tsx';

/** Loaded when one is opened: a list is read far more often than it is acted on. */
const ConnectionHelp = lazy(() => import('./ConnectionHelp.tsx'));
const StationControlDrawer = lazy(() => import('./StationControlDrawer.tsx'));
const StationFormDrawer = lazy(() => import('./StationFormDrawer.tsx'));
const TariffSendings = lazy(() => import('./TariffSendings.tsx'));

/** The tally of a shown station's ports is asked for again when one of them moved, this often at the most. */
const tallyGapMs = 5_000;

function stationColumns(): ListColumn<typeof listStations>[] {
  return [
    {
      key: 'number',
      title: phrase('stations.number'),
      widthPx: 188,
      sort: 'number',
      initiallyPinned: true,
      render: (station) => (
        <CopyNumber value={station.number}>
          <Link to={`/deviceDetail?id=${station.id}`}>{station.number}</Link>
        </CopyNumber>
      ),
    },
    { key: 'name', title: phrase('stations.name'), widthPx: 148, sort: 'name', render: (station) => station.name },
    {
      key: 'online',
      title: phrase('stations.online'),
      widthPx: 92,
      render: (station) => (
        <StateTag tone={onlineTone(station.online)}>
          {phrase(station.online ? 'station-state.online' : 'station-state.offline')}
        </StateTag>
      ),
    },
    {
      key: 'connectors',
      title: phrase('stations.running'),
      hint: phrase('stations.runningHint'),
      widthPx: 148,
      render: (station) => <PortTally tally={station.connectors} />,
    },
    {
      key: 'enabled',
      title: phrase('stations.enabled'),
      widthPx: 92,
      render: (station) => (
        <StateTag tone={enabledTone(station.enabled)}>
          {phrase(station.enabled ? 'station-state.enabled' : 'station-state.disabled')}
        </StateTag>
      ),
    },
    { key: 'site', title: phrase('stations.site'), widthPx: 188, render: (station) => station.siteName },
    {
      key: 'agent',
      title: phrase('stations.agent'),
      widthPx: 140,
      render: (station) => station.agentName ?? phrase('orders.platform'),
    },
    {
      key: 'type',
      title: phrase('stations.type'),
      widthPx: 96,
      render: (station) => phrase(`station-type.${station.type}`),
    },
    {
      key: 'equipmentType',
      title: phrase('stations.equipmentType'),
      widthPx: 104,
      render: (station) => phrase(`equipment-type.${station.equipmentType}`),
    },
    {
      key: 'connectorCount',
      title: phrase('stations.connectorCount'),
      widthPx: 88,
      align: 'right',
      render: (station) => <span className="figure">{station.connectorCount}</span>,
    },
    {
      key: 'maxPower',
      title: `${phrase('stations.maxPower')} (kW)`,
      widthPx: 120,
      align: 'right',
      render: (station) => <span className="figure">{station.maxPowerKw.toFixed(1)}</span>,
    },
    {
      key: 'voltage',
      title: `${phrase('stations.voltage')} (V)`,
      widthPx: 92,
      align: 'right',
      initiallyHidden: true,
      render: (station) => <span className="figure">{station.voltageV ?? nothingText}</span>,
    },
    {
      key: 'current',
      title: `${phrase('stations.current')} (A)`,
      widthPx: 92,
      align: 'right',
      initiallyHidden: true,
      render: (station) => <span className="figure">{station.currentA ?? nothingText}</span>,
    },
    {
      key: 'protocol',
      title: phrase('stations.protocol'),
      widthPx: 104,
      render: (station) => phrase(`protocol.${station.protocol}`),
    },
    {
      key: 'runningTariff',
      title: phrase('stations.runningTariff'),
      hint: phrase('stations.runningTariffHint'),
      widthPx: 112,
      render: (station) => <RunningTariff station={station} />,
    },
    {
      key: 'cardTariff',
      title: phrase('stations.cardTariff'),
      widthPx: 152,
      render: (station) => station.cardTariffName ?? nothingText,
    },
    {
      key: 'wechatTariff',
      title: phrase('stations.wechatTariff'),
      widthPx: 152,
      render: (station) => station.wechatTariffName ?? nothingText,
    },
    {
      key: 'energy',
      title: `${phrase('stations.totalEnergy')} (kWh)`,
      widthPx: 140,
      align: 'right',
      render: (station) => <Energy wh={station.totalEnergyWh} bare />,
    },
    {
      key: 'lastSeen',
      title: phrase('stations.lastSeen'),
      widthPx: 172,
      render: (station) => <Instant at={station.lastSeenAt} />,
    },
    {
      key: 'expiresOn',
      title: phrase('stations.expiresOn'),
      widthPx: 112,
      render: (station) => <span className="figure">{station.expiresOn ?? nothingText}</span>,
    },
    {
      key: 'createdAt',
      title: phrase('stations.createdAt'),
      widthPx: 172,
      sort: 'createdAt',
      render: (station) => <Instant at={station.createdAt} />,
    },
  ];
}

function stationFilters(): ListFilter<typeof listStations>[] {
  return [
    { kind: 'text', name: 'number', label: phrase('stations.number') },
    { kind: 'text', name: 'name', label: phrase('stations.name') },
    { kind: 'record', name: 'siteId', label: phrase('stations.site'), ...siteChoices },
    {
      kind: 'flag',
      name: 'online',
      label: phrase('stations.online'),
      yes: phrase('station-state.online'),
      no: phrase('station-state.offline'),
    },
    {
      kind: 'choice',
      name: 'state',
      label: phrase('stations.running'),
      choices: connectorGroups.map((value) => ({ value, label: phrase(`connector-group.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'type',
      label: phrase('stations.type'),
      choices: stationTypes.map((value) => ({ value, label: phrase(`station-type.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'equipmentType',
      label: phrase('stations.equipmentType'),
      choices: equipmentTypes.map((value) => ({ value, label: phrase(`equipment-type.${value}`) })),
    },
    { kind: 'record', name: 'agentId', label: phrase('stations.agent'), ...agentChoices },
    {
      kind: 'flag',
      name: 'enabled',
      label: phrase('stations.enabled'),
      yes: phrase('station-state.enabled'),
      no: phrase('station-state.disabled'),
    },
    {
      kind: 'choice',
      name: 'protocol',
      label: phrase('stations.protocol'),
      choices: protocols.map((value) => ({ value, label: phrase(`protocol.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'tariffState',
      label: phrase('stations.runningTariff'),
      choices: tariffStates.map((value) => ({ value, label: phrase(`tariff-state.${value}`) })),
    },
  ];
}

type Overlay = { kind: 'form'; task: StationFormTask } | { kind: 'control'; station: Station };
type Connecting = { station: Pick<Station, 'id' | 'name' | 'number'>; password: string | null };

/** Charging stations: add, edit, connect, command; /deviceList. */
export default function StationListPage() {
  const can = useCan();
  const mayOpen = useMayOpen();
  const confirm = useConfirm();
  const tell = useTell();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { message } = App.useApp();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [open, setOpen] = useState(false);
  const [connecting, setConnecting] = useState<Connecting | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [sending, setSending] = useState<readonly Station[]>([]);
  const [isSendingOpen, setSendingOpen] = useState(false);
  const askTallies = usePaced(() => void refresh(listStations), tallyGapMs);
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  const close = () => setOpen(false);
  useReopenedDraft('station add', () => show({ kind: 'form', task: { kind: 'add' } }));
  const help = (next: Connecting) => {
    setConnecting(next);
    setHelpOpen(true);
  };

  const onSaved = ({ station, password }: StationSaved) => {
    message.success(phrase('stations.saved', { name: station.name }));
    // The password is shown this once, where it is needed: beside what else the charger wants to know.
    if (password !== null) help({ station, password });
  };

  const enable = (station: Station) => {
    const enabled = !station.enabled;
    const act = async () => {
      await call(enableStation, { params: { id: station.id }, body: { enabled } });
      message.success(phrase(enabled ? 'stations.enabledNow' : 'stations.disabledNow', { name: station.name }));
      await refresh(listStations, listConnectors, getStation);
    };
    if (enabled) return void act().catch(tell);
    return void confirm({
      question: phrase('stations.disableQuestion', { name: station.name, number: station.number }),
      details: phrase('stations.disableDetails', { count: station.connectorCount }),
      verb: phrase('stations.disable'),
      danger: true,
      act,
    });
  };

  const remove = (station: Station) =>
    void confirm({
      question: phrase('stations.deleteQuestion', {
        name: station.name,
        number: station.number,
        count: station.connectorCount,
      }),
      details: phrase('stations.deleteDetails'),
      verb: phrase('stations.delete'),
      danger: true,
      act: async () => {
        await call(deleteStation, { params: { id: station.id } });
        message.success(phrase('stations.deleted', { name: station.name }));
        await refresh(listStations, listConnectors);
      },
    });

  const actsOf = (station: Station): RowAction[] => [
    ...(can('station.edit')
      ? [
          {
            key: 'edit',
            label: phrase('stations.edit'),
            onClick: () => show({ kind: 'form', task: { kind: 'edit', station } }),
          },
        ]
      : []),
    ...(can('station.command') || can('order.start') || can('order.stop')
      ? [{ key: 'control', label: phrase('stations.control'), onClick: () => show({ kind: 'control', station }) }]
      : []),
    {
      key: 'connection',
      label: phrase('stations.connectionHelp'),
      onClick: () => help({ station, password: null }),
    },
    {
      key: 'ports',
      label: phrase('stations.showPorts'),
      onClick: () => navigate(`/portList?stationId=${station.id}`),
    },
    ...(mayOpen('/auditLog')
      ? [
          {
            key: 'audit',
            label: phrase('menu.auditLog'),
            onClick: () => navigate(`/auditLog?recordKind=station&recordId=${station.id}`),
          },
        ]
      : []),
    ...(can('station.edit')
      ? [
          {
            key: 'enable',
            label: phrase(station.enabled ? 'stations.disable' : 'stations.enable'),
            onClick: () => enable(station),
            danger: station.enabled,
          },
        ]
      : []),
    ...(can('station.delete')
      ? [{ key: 'delete', label: phrase('stations.delete'), onClick: () => remove(station), danger: true }]
      : []),
  ];

  const bulkActions: BulkAction<typeof listStations>[] = [
    {
      key: 'tariff',
      label: phrase('command.set-tariff'),
      onClick: (stations) => {
        setSending(stations);
        setSendingOpen(true);
      },
    },
  ];

  const add = can('station.create') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'form', task: { kind: 'add' } })}>
      {phrase('stations.add')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="stations"
        title={phrase('stations.title')}
        route={listStations}
        rowKey={(station) => station.id}
        rowName={(station) => `${phrase('stations.station')} ${station.number}`}
        filters={stationFilters()}
        columns={stationColumns()}
        toolbar={add}
        rowActions={actsOf}
        {...(can('station.command') ? { bulkActions } : {})}
        before={
          <>
            <UnknownStations onAdopt={(task) => show({ kind: 'form', task })} />
            <DifferingTariffs />
          </>
        }
        live={{
          'station-changed': {
            concerns: (station, event) => station.id === event.stationId,
            patch: (station, event) => {
              askTallies();
              return { ...station, online: event.online, lastSeenAt: event.at };
            },
          },
          'connector-changed': {
            concerns: (station, event) => station.id === event.stationId,
            patch: (station) => {
              askTallies();
              return station;
            },
          },
        }}
        empty={{ title: phrase('stations.empty'), text: phrase('stations.emptyText'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'form' ? (
          <StationFormDrawer
            key={formKey(overlay.task)}
            task={overlay.task}
            open={open}
            onClose={close}
            onSaved={onSaved}
          />
        ) : null}
        {connecting === null ? null : (
          <ConnectionHelp
            key={connecting.station.id}
            station={connecting.station}
            password={connecting.password}
            open={isHelpOpen}
            onClose={() => setHelpOpen(false)}
          />
        )}
        {sending.length === 0 ? null : (
          <TariffSendings stations={sending} open={isSendingOpen} onClose={() => setSendingOpen(false)} />
        )}
        {overlay?.kind === 'control' ? (
          <StationControlDrawer key={overlay.station.id} station={overlay.station} open={open} onClose={close} />
        ) : null}
      </Suspense>
    </>
  );
}

function formKey(task: StationFormTask): string {
  switch (task.kind) {
    case 'add':
      return 'add';
    case 'edit':
      return `edit ${task.station.id}`;
    case 'adopt':
      return `adopt ${task.id}`;
  }
}
