import { DownloadOutlined, EditOutlined, SendOutlined, UploadOutlined } from '@ant-design/icons';
import { bulkCommandKinds } from '@voltdeck/charging/station-command';
import { idParameter } from '@voltdeck/contract/fields';
import { getStation, listStations, type Station } from '@voltdeck/contract/stations';
import type { TaskId } from '@voltdeck/units/id';
import * as z from 'zod/mini';
import { lazyPart } from '../api/lazy-part.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { auditOf } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { PortTally } from '../ui/PortTally.tsx';
import { enabledTone, onlineTone } from '../ui/state-colours.ts';
import { withWords } from '../words.ts';
import { DifferingTariffs } from './DifferingTariffs.tsx';
import { RunningTariff } from './RunningTariff.tsx';
import type { StationFormTask } from './StationFormDrawer.tsx';
import { stationActs } from './station-acts.ts';
import { UnknownStations } from './UnknownStations.tsx';

/** Lazy: most visits to a list never open it. */
const ChangeManyForm = lazyPart(withWords(['stationPage', 'errors'], () => import('./ChangeManyForm.tsx')));
const CommandManyForm = lazyPart(withWords(['stationPage', 'errors'], () => import('./CommandManyForm.tsx')));
const ConnectionHelp = lazyPart(withWords(['stationPage'], () => import('./ConnectionHelp.tsx')));
const StationControlDrawer = lazyPart(withWords(['stationPage', 'errors'], () => import('./StationControlDrawer.tsx')));
const StationFormDrawer = lazyPart(() => import('./StationFormDrawer.tsx'));
const IdentityForm = lazyPart(withWords(['stationIdentities'], () => import('./IdentityForm.tsx')));
const IdentityBatchDialog = lazyPart(
  withWords(['stationIdentities', 'errors'], () => import('./IdentityBatchDialog.tsx')),
);
const StationImportDialog = lazyPart(
  withWords(['stationImports', 'errors'], () => import('./StationImportDialog.tsx')),
);

/** Minimum interval between fetches of a station's port tally after a port has changed. */
const tallyGapMs = 5_000;

const filters: Filters<typeof listStations> = {
  number: {},
  name: {},
  siteId: { title: 'stations.site' },
  online: {},
  state: { title: 'stations.running', words: 'connector-group' },
  type: {},
  equipmentType: {},
  agentId: { title: 'stations.agent', may: seesAgents },
  enabled: {},
  protocol: {},
  free: {},
  activated: { title: 'stations.activated', words: ['station-activation.yes', 'station-activation.no'] },
  expiresWithinDays: { title: 'stations.expiresWithinDays' },
  simExpiresWithinDays: { title: 'stations.simExpiresWithinDays' },
  tariffState: { title: 'stations.runningTariff', words: 'tariff-state' },
};

const look: ListPageProps<typeof listStations>['look'] = {
  number: { widthPx: 188, isPinned: true, link: ({ id }) => place('deviceDetail', { id }) },
  online: { tone: ({ online }) => onlineTone(online) },
  connectors: { render: ({ id, connectors }) => <PortTally tally={connectors} of={{ stationId: id }} /> },
  enabled: { tone: ({ enabled }) => enabledTone(enabled) },
  siteName: { widthPx: 188 },
  customSite: { widthPx: 160, isHidden: true },
  voltageV: { isHidden: true },
  currentA: { isHidden: true },
  offlineSince: { isHidden: true },
  activatedAt: { isHidden: true },
  imei: { isHidden: true },
  iccid: { widthPx: 200, isHidden: true },
  simExpiresOn: { isHidden: true },
  manufacturer: { widthPx: 160, isHidden: true },
  manufacturerCode: { isHidden: true },
  equipmentModel: { widthPx: 140, isHidden: true },
  producedOn: { isHidden: true },
  firmwareVersion: { widthPx: 140, isHidden: true },
  runningTariff: { render: (station) => <RunningTariff station={station} /> },
};

type Overlay = OverlayProps<Station>;

/** What a link may fill in for a new station. */
const takes: Taking<'deviceList', 'add'> = { siteId: idParameter<'site'>(), cardTariffId: idParameter<'tariff'>() };
/** The command that a link asks for. */
const takesCommand: Taking<'deviceList', 'commandAll'> = { kind: z.enum(bulkCommandKinds) };

function formOf(task: StationFormTask, { open, close, show, tell }: Overlay) {
  return (
    <StationFormDrawer
      task={task}
      open={open}
      onClose={close}
      onSaved={({ station, password }) => {
        tell(phrase('stations.saved', { name: station.name }));
        // The password is shown only this once, with the other connection settings.
        if (password !== null) show('connection', [station], password);
      }}
    />
  );
}

const acts: Acts<Station> = {
  add: {
    on: 'list',
    label: 'stations.add',
    may: 'station.create',
    overlay: (over) => formOf({ kind: 'add', given: givenValues(takes, over.given) }, over),
  },
  adopt: {
    on: 'list',
    label: 'stations.add',
    may: 'station.create',
    isQuiet: true,
    overlay: (over) => (over.carried === null ? null : formOf(over.carried as StationFormTask, over)),
  },
  import: {
    on: 'list',
    label: 'stations.import',
    icon: <UploadOutlined />,
    may: 'station.create',
    overlay: ({ open, close }) => <StationImportDialog open={open} onClose={close} />,
  },
  identities: {
    on: 'list',
    label: 'stations.makeIdentities',
    icon: <DownloadOutlined />,
    may: 'station.create',
    overlay: ({ open, close, show }) => (
      <IdentityForm open={open} onClose={close} onStarted={(taskId) => show('identityBatch', [], taskId)} />
    ),
  },
  identityBatch: {
    on: 'list',
    label: 'stations.makeIdentities',
    may: 'station.create',
    isQuiet: true,
    overlay: ({ open, close, carried }) =>
      carried === null ? null : <IdentityBatchDialog taskId={carried as TaskId} open={open} onClose={close} />,
  },
  edit: {
    on: 'row',
    label: 'stations.edit',
    may: 'station.edit',
    overlay: (station, over) => formOf({ kind: 'edit', station }, over),
  },
  control: {
    on: 'row',
    label: 'stations.control',
    may: ['station.command', 'order.start', 'order.stop'],
    overlay: (station, { open, close }) => <StationControlDrawer station={station} open={open} onClose={close} />,
  },
  connection: {
    on: 'row',
    label: 'stations.connectionHelp',
    overlay: (station, { open, close, carried }) => (
      <ConnectionHelp station={station} password={carried as string | null} open={open} onClose={close} />
    ),
  },
  ports: { on: 'row', label: 'stations.showPorts', leads: ({ id }) => place('portList', { stationId: id }) },
  audit: auditOf('station'),
  ...stationActs<Station>(),
  change: {
    on: 'rows',
    label: 'stations.changeMany',
    may: 'station.edit',
    overlay: (stations, { open, close, done }) => (
      <ChangeManyForm stations={stations} open={open} onClose={close} onChanged={done} />
    ),
  },
  changeAll: {
    on: 'list',
    label: 'stations.changeFiltered',
    icon: <EditOutlined />,
    may: 'station.edit',
    overlay: ({ open, close }) => (
      <ChangeManyForm stations={null} open={open} onClose={close} onChanged={() => undefined} />
    ),
  },
  command: {
    on: 'rows',
    label: 'stations.commandMany',
    may: 'station.command',
    overlay: (stations, { open, close, done }) => (
      <CommandManyForm stations={stations} open={open} onClose={close} onStarted={done} />
    ),
  },
  commandAll: {
    on: 'list',
    label: 'stations.commandFiltered',
    icon: <SendOutlined />,
    may: 'station.command',
    overlay: ({ open, close, given }) => (
      <CommandManyForm
        stations={null}
        firstKind={givenValues(takesCommand, given).kind}
        open={open}
        onClose={close}
        onStarted={() => undefined}
      />
    ),
  },
};

/** Charging stations: add, edit, connect, command; /deviceList. */
export default function StationListPage() {
  const refresh = useRefresh();
  const askTallies = usePaced(() => void refresh(listStations), tallyGapMs);
  return (
    <ListPage
      list={listStations}
      title="stations.title"
      record="stations.station"
      filters={filters}
      look={look}
      acts={acts}
      one={getStation}
      before={(show) => (
        <>
          <UnknownStations onAdopt={(task) => show('adopt', [], task)} />
          <DifferingTariffs />
        </>
      )}
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
      empty={{ title: 'stations.empty', text: 'stations.emptyText' }}
    />
  );
}
