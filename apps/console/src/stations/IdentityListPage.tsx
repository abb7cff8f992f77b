import { DownloadOutlined } from '@ant-design/icons';
import { listStationIdentities, removeIdentities, type StationIdentity } from '@voltdeck/contract/station-identities';
import type { TaskId } from '@voltdeck/units/id';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { askingMany } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const AssignIdentitiesForm = lazyPart(() => import('./AssignIdentitiesForm.tsx'));
const IdentityBatchDialog = lazyPart(() => import('./IdentityBatchDialog.tsx'));
const IdentityForm = lazyPart(() => import('./IdentityForm.tsx'));

const filters: Filters<typeof listStationIdentities> = {
  number: {},
  batch: {},
  state: {},
  protocol: {},
  agentId: { title: 'stations.agent', may: seesAgents },
};

const look: ListPageProps<typeof listStationIdentities>['look'] = {
  number: {
    widthPx: 200,
    isPinned: true,
    link: ({ stationId }) => (stationId === null ? null : place('deviceDetail', { id: stationId })),
  },
  state: { tone: ({ state }) => toneOf[state] },
  batch: { widthPx: 160 },
  siteName: { widthPx: 160 },
};

const toneOf = { in_stock: 'offline', assigned: 'occupied', installed: 'free' } as const;

/** Only what is in stock can be assigned or removed. */
function because(identities: readonly StationIdentity[]): string | undefined {
  const gone = identities.find(({ state }) => state !== 'in_stock');
  return gone === undefined ? undefined : phrase('identities.notInStock', { number: gone.number });
}

const acts: Acts<StationIdentity> = {
  make: {
    on: 'list',
    label: 'identities.make',
    icon: <DownloadOutlined />,
    may: 'station.create',
    overlay: ({ open, close, show }) => (
      <IdentityForm open={open} onClose={close} onStarted={(taskId) => show('batch', [], taskId)} />
    ),
  },
  batch: {
    on: 'list',
    label: 'identities.make',
    may: 'station.create',
    isQuiet: true,
    overlay: ({ open, close, carried }) =>
      carried === null ? null : <IdentityBatchDialog taskId={carried as TaskId} open={open} onClose={close} />,
  },
  assign: {
    on: 'rows',
    label: 'identities.assign',
    may: 'station.create',
    because,
    overlay: (identities, { open, close, tell, done }) => (
      <AssignIdentitiesForm
        identities={identities}
        open={open}
        onClose={close}
        onAssigned={(text) => {
          done();
          tell(text);
        }}
      />
    ),
  },
  remove: askingMany<StationIdentity>({
    label: 'identities.remove',
    may: 'station.delete',
    danger: true,
    because,
    question: ({ length: count }) => phrase('identities.removeQuestion', { count }),
    details: () => phrase('identities.removeDetails'),
    act: async (identities, idempotencyKey) => {
      const body = { identityIds: identities.map(({ id }) => id) };
      const { removed } = await call(removeIdentities, { body, idempotencyKey });
      return phrase('identities.removed', { count: removed });
    },
  }),
};

/** Numbers made for a factory, in stock, assigned or installed; /stationStock. */
export default function IdentityListPage() {
  return (
    <ListPage
      list={listStationIdentities}
      title="identities.title"
      record="identities.identity"
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'identities.empty', text: 'identities.emptyText' }}
    />
  );
}
