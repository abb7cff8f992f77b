import { useQueryClient } from '@tanstack/react-query';
import { listConnectors } from '@voltdeck/contract/connectors';
import { listOrders } from '@voltdeck/contract/orders';
import { lackedForOpening } from '@voltdeck/contract/site-opening';
import { getSite, listSites, type SiteDetail } from '@voltdeck/contract/sites';
import { listStations } from '@voltdeck/contract/stations';
import type { SiteId } from '@voltdeck/units/id';
import { Button, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import type { CallInput } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { usePaced } from '../api/paced.ts';
import { keyOf, useAnswer, useAskAgain } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useGo } from '../session/use-go.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { NavigationLinks } from '../ui/NavigationLinks.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { Panel } from '../ui/Panel.tsx';
import { PortTally } from '../ui/PortTally.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { useReopenedDraft } from '../ui/use-draft.ts';
import { withWords } from '../words.ts';
import { SiteFacts } from './SiteFacts.tsx';
import { SiteOrders } from './SiteOrders.tsx';
import { SitePictures } from './SitePictures.tsx';
import { SitePorts } from './SitePorts.tsx';
import { SitePrices } from './SitePrices.tsx';
import { SiteStations } from './SiteStations.tsx';
import { SiteTrouble } from './SiteTrouble.tsx';
import { siteActs } from './site-acts.ts';
import { siteStateTones } from './site-words.ts';
import styles from './sites.module.css';

const ForecastPanel = lazyPart(withWords(['forecast'], () => import('../statistics/ForecastPanel.tsx')));
const SiteFormDrawer = lazyPart(() => import('./SiteFormDrawer.tsx'));

/** Minimum interval between fetches, since the events of a site come in bursts. */
const refetchGapMs = 2_000;
/** One page of the list; a larger site links to the list of its ports. */
const portsShown = 100;
const stationsShown = 20;
const troubleShown = 8;
const ordersShown = 10;

/** One site: its ports live, what is wrong, its stations, orders and prices; /plotDetail?id=. */
export default function SitePage() {
  const id = useRecordId<SiteId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('sites.noSuchSite')}
        text={phrase('sites.noSuchSiteText')}
        action={
          <ScreenLink screen="plotList">{phrase('shell.backToList', { list: phrase('sites.title') })}</ScreenLink>
        }
      />
    );
  }
  return <SiteOf key={id} id={id} />;
}

type Questions = {
  site: CallInput<typeof getSite>;
  orders: CallInput<typeof listOrders>;
} & Record<'ports' | 'trouble', CallInput<typeof listConnectors>> &
  Record<'absent' | 'stations', CallInput<typeof listStations>>;

const questionsOf = (id: SiteId): Questions => ({
  site: { params: { id } },
  ports: { query: { siteId: id, pageSize: portsShown } },
  trouble: { query: { siteId: id, state: ['fault'], pageSize: troubleShown, sort: '-stateSince' } },
  absent: { query: { siteId: id, online: false, pageSize: troubleShown } },
  stations: { query: { siteId: id, pageSize: stationsShown, sort: 'number' } },
  orders: { query: { siteId: id, pageSize: ordersShown } },
});

/** What the page shows of the site, each where the user may see it. */
function useSite(id: SiteId) {
  const can = useCan();
  const client = useQueryClient();
  const asked = questionsOf(id);
  const site = useAnswer(getSite, asked.site);
  const ports = useAnswer(listConnectors, asked.ports, { enabled: can('connector.read') });
  const trouble = useAnswer(listConnectors, asked.trouble, { enabled: can('connector.read') });
  const absent = useAnswer(listStations, asked.absent, { enabled: can('station.read') });
  const stations = useAnswer(listStations, asked.stations, { enabled: can('station.read') });
  const orders = useAnswer(listOrders, asked.orders, { enabled: can('order.read') });
  const askState = usePaced(() => {
    const keys = [
      keyOf(getSite, asked.site),
      keyOf(listConnectors, asked.ports),
      keyOf(listConnectors, asked.trouble),
      keyOf(listStations, asked.absent),
      keyOf(listStations, asked.stations),
    ];
    for (const key of keys) void fetchAgain(client, key);
  }, refetchGapMs);
  const askOrders = useAskAgain(listOrders, asked.orders, refetchGapMs);
  /** Before their first answers, every station and every port may be one of the site's. */
  const isHere = (stationId: number) =>
    stations.isLoading ||
    ports.isLoading ||
    stations.data?.items.some((station) => station.id === stationId) === true ||
    ports.data?.items.some((port) => port.stationId === stationId) === true;
  const isPortHere = (connectorId: number | null) =>
    ports.isLoading || ports.data?.items.some(({ id: port }) => port === connectorId) === true;
  useConsoleEvents('connector-changed', ({ stationId }) => {
    if (isHere(stationId)) askState();
  });
  useConsoleEvents('station-changed', ({ stationId }) => {
    if (isHere(stationId)) askState();
  });
  useConsoleEvents('port-order-changed', ({ connectorId }) => {
    if (isPortHere(connectorId)) askState();
  });
  useConsoleEvents('order-changed', ({ connectorId }) => {
    if (isPortHere(connectorId)) askOrders();
  });
  return { site, ports, trouble, absent, stations, orders };
}

function SiteOf({ id }: { id: SiteId }) {
  const can = useCan();
  const { site: answer, ports, trouble, absent, stations, orders } = useSite(id);
  useTabTitle(answer.data?.name);
  const go = useGo();
  // A deleted site has nothing left to show.
  const { actsOf } = useActs<SiteDetail>(
    siteActs<SiteDetail>(() => go('plotList')),
    undefined,
    { list: listSites },
  );
  const [isFormOpen, setFormOpen] = useState(false);
  useReopenedDraft(answer.data === undefined ? null : `site ${id}`, () => setFormOpen(true));
  useOfferedActs(
    answer.data === undefined
      ? []
      : [
          ...(can('site.edit')
            ? [{ key: 'site.edit', label: phrase('sites.edit'), onClick: () => setFormOpen(true) }]
            : []),
          ...actsOf(answer.data).map((act) => ({ ...act, key: `site.${act.key}` })),
        ],
  );

  if (answer.isPending) return <Waiting />;
  if (answer.data === undefined) {
    const absent = { title: phrase('sites.notFound'), list: 'plotList', listName: phrase('sites.title') } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const site = answer.data;
  return (
    <div className={styles.page}>
      <SiteHead site={site} acts={actsOf(site)} onEdit={() => setFormOpen(true)} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {can('connector.read') ? (
            <>
              <SitePorts site={site} answer={ports} />
              <SiteTrouble siteId={id} ports={trouble} stations={absent} />
            </>
          ) : null}
          {can('station.read') ? <SiteStations siteId={id} answer={stations} /> : null}
          {can('statistics.read') ? (
            <Suspense>
              <ForecastPanel query={{ siteId: id }} />
            </Suspense>
          ) : null}
          {can('order.read') ? <SiteOrders siteId={id} answer={orders} /> : null}
        </div>
        <div className={styles.side}>
          <Panel title={phrase('sites.prices')}>
            <SitePrices tariffs={site.tariffs} />
          </Panel>
          <SitePictures pictures={site.pictures} />
          <SiteFacts site={site} />
        </div>
      </div>
      <Suspense>
        <SiteFormDrawer
          site={site}
          open={isFormOpen}
          onClose={() => setFormOpen(false)}
          onSaved={() => void answer.refetch()}
        />
      </Suspense>
    </div>
  );
}

type RowActs = ReturnType<ReturnType<typeof useActs<SiteDetail>>['actsOf']>;

/** The state at a glance, and what can be done. */
function SiteHead({ site, acts, onEdit }: { site: SiteDetail; acts: RowActs; onEdit: () => void }) {
  const can = useCan();
  const lacked = site.opened ? [] : lackedForOpening(site);
  return (
    <section className={styles.answerPanel} aria-label={phrase('sites.glance')}>
      <div className={styles.head}>
        <h1 className={styles.siteName}>{site.name}</h1>
        <StateTag tone={siteStateTones[site.state]}>{phrase(`site-state.${site.state}`)}</StateTag>
        <StateTag tone={enabledTone(site.opened)}>
          {phrase('sites.opened')} · {phrase(site.opened ? 'sites.openedYes' : 'sites.openedNo')}
        </StateTag>
        <div className={styles.headActs}>
          {can('site.edit') ? <Button onClick={onEdit}>{phrase('sites.edit')}</Button> : null}
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.glance}>
        <PortTally tally={site.connectors} named of={{ siteId: site.id }} />
        <span className={styles.quiet}>
          {phrase('sites.stationsOnline')}{' '}
          <span className="figure">
            {site.stations.online} / {site.stationCount}
          </span>
        </span>
        <span className={styles.quiet}>{site.address}</span>
        <NavigationLinks site={site} />
      </p>
      {can('site.open') && lacked.length > 0 ? (
        <p className={styles.lacks}>
          {phrase('sites.lacksForOpening', {
            lacked: lacked.map((one) => phrase(`sites.lacks.${one}`)).join(phrase('list.comma')),
          })}
        </p>
      ) : null}
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
