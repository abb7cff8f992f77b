import { Segmented } from 'antd';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useAddress } from '../ui/use-address.ts';
import { withWords } from '../words.ts';
import { EmptyMap } from './EmptyMap.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import styles from './home.module.css';
import { mapLabels } from './map-words.ts';
import { RegionTrail } from './RegionTrail.tsx';
import { SiteCard } from './SiteCard.tsx';
import { SitePanel } from './SitePanel.tsx';
import { SummaryStrip } from './SummaryStrip.tsx';
import { useMapSites } from './use-map-sites.ts';

const loadMap = () => import('./SiteMap.tsx');
const SiteMap = lazyPart(loadMap);
// Its code comes beside the sites; a failure shows where the map is drawn.
loadMap().catch(() => undefined);
const WaitingApprovals = lazyPart(withWords(['approvals'], () => import('./WaitingApprovals.tsx')));
const PortMonitor = lazyPart(withWords(['stations'], () => import('./PortMonitor.tsx')));

type Go = (changes: Record<string, string | null>) => void;
type Chosen = { region: string | null; siteId: number | null; go: Go };

/** The network on a map, or as a tree with a wall of ports, with today's figures above; /home. */
export default function HomePage() {
  const [search, setSearch] = useAddress();
  const can = useCan();
  const mayGo = useMayGo();
  const go: Go = (changes) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  const isTree = search.get('view') === 'tree';
  const chosen = { region: search.get('region'), siteId: Number(search.get('site')) || null, go };
  return (
    <div className={styles.page}>
      <h1 className="for-readers">{phrase('overview.title')}</h1>
      <FirstSteps isAsked={search.get('steps') === 'true'} onLeave={() => go({ steps: null })} />
      {can('approval.decide') && mayGo('approvalList') ? (
        <Suspense>
          <WaitingApprovals />
        </Suspense>
      ) : null}
      <SummaryStrip />
      <div className={styles.views}>
        <RegionTrail code={chosen.region} onGo={(code) => go({ region: code, site: null })} />
        <Segmented
          aria-label={phrase('overview.view')}
          value={isTree ? 'tree' : 'map'}
          onChange={(view) => go({ view: view === 'tree' ? view : null })}
          options={[
            { value: 'map', label: phrase('overview.asMap') },
            { value: 'tree', label: phrase('overview.asTree') },
          ]}
        />
      </div>
      {isTree ? (
        <Suspense fallback={<MapWaiting />}>
          <PortMonitor
            region={chosen.region}
            siteId={chosen.siteId}
            onRegion={(region) => go({ region, site: null })}
            onSite={(site, region) => go({ site: String(site), region })}
          />
        </Suspense>
      ) : (
        <MapView {...chosen} />
      )}
    </div>
  );
}

function MapView({ region, siteId, go }: Chosen) {
  const { sites, failure, retry } = useMapSites();
  const labels = useMemo(mapLabels, []);
  const selected = sites?.find((site) => site.id === siteId);
  const select = (id: number) => go({ site: String(id) });
  return (
    <div className={styles.body}>
      <div className={styles.map}>
        {failure !== null && sites === undefined ? (
          <ErrorState failure={failure} retry={retry} />
        ) : (
          <Suspense fallback={<MapWaiting />}>
            {sites === undefined ? (
              <MapWaiting />
            ) : (
              <SiteMap
                sites={sites}
                language={language}
                labels={labels}
                selectedId={siteId}
                onSelect={select}
                onRegionSelect={(code) => go({ region: code, site: null })}
                focusRegion={region}
              />
            )}
          </Suspense>
        )}
        {sites?.length === 0 ? <EmptyMap /> : null}
      </div>
      <aside className={styles.panel}>
        {selected === undefined ? null : (
          <SiteCard key={selected.id} site={selected} onClose={() => go({ site: null })} />
        )}
        <SitePanel region={region} selectedId={siteId} onSelect={select} />
      </aside>
    </div>
  );
}

function MapWaiting() {
  return (
    <div className={styles.mapWaiting} role="status">
      {phrase('overview.mapLoading')}
    </div>
  );
}
