import { listMapSites } from '@voltdeck/contract/overview';
import { isWithin } from '@voltdeck/regions/regions';
import { Breadcrumb, Skeleton } from 'antd';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useConsoleEvents } from '../api/events.ts';
import { usePaced } from '../api/paced.ts';
import { useAnswer } from '../api/queries.ts';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import styles from './home.module.css';
import { mapLabels, onMap } from './map-words.ts';
import { type RegionStep, regionTrail } from './region-trail.ts';
import { SiteCard } from './SiteCard.tsx';
import { SitePanel } from './SitePanel.tsx';
import { SummaryStrip } from './SummaryStrip.tsx';
import { byTrouble, matchesText } from './trouble.ts';

const SiteMap = lazy(() => import('./SiteMap.tsx'));

/** Minimum interval between fetches: twenty thousand sites are a large answer. */
const refetchGapMs = 10_000;

/** The network on a map with today's figures above; /home. */
export default function HomePage() {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState('');
  const typed = useDeferredValue(text);
  const answer = useAnswer(listMapSites, {}, { keepPrevious: true });
  const askAgain = usePaced(() => void answer.refetch(), refetchGapMs);
  useConsoleEvents('connector-changed', askAgain);
  useConsoleEvents('station-changed', askAgain);

  const region = search.get('region');
  const selectedId = Number(search.get('site')) || null;
  const go = (changes: Record<string, string | null>) =>
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

  const labels = useMemo(mapLabels, []);
  const all = answer.data;
  const sites = useMemo(() => (all ?? []).map(onMap), [all]);
  const listed = useMemo(
    () =>
      (all ?? [])
        .filter((site) => (region === null || isWithin(site.regionCode, region)) && matchesText(site, typed))
        .sort(byTrouble(language)),
    [all, region, typed],
  );
  const selected = all?.find((site) => site.id === selectedId);
  const select = (id: number) => go({ site: String(id) });

  return (
    <div className={styles.page}>
      <h1 className="for-readers">{phrase('overview.title')}</h1>
      <SummaryStrip />
      <div className={styles.body}>
        <div className={styles.map}>
          {answer.isError && all === undefined ? (
            <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
          ) : (
            <Suspense fallback={<MapWaiting />}>
              {all === undefined ? (
                <MapWaiting />
              ) : (
                <SiteMap
                  sites={sites}
                  language={language}
                  labels={labels}
                  selectedId={selectedId}
                  onSelect={select}
                  onRegionSelect={(code) => go({ region: code, site: null })}
                  focusRegion={region}
                />
              )}
            </Suspense>
          )}
          {region === null ? null : <Trail code={region} onGo={(code) => go({ region: code, site: null })} />}
        </div>
        <aside className={styles.panel}>
          {selected === undefined ? null : (
            <SiteCard key={selected.id} site={selected} onClose={() => go({ site: null })} />
          )}
          {all === undefined ? (
            answer.isError ? null : (
              <ListWaiting />
            )
          ) : (
            <SitePanel
              sites={listed}
              total={all.length}
              text={text}
              onText={setText}
              selectedId={selectedId}
              onSelect={select}
            />
          )}
        </aside>
      </div>
    </div>
  );
}

/** Country > province > city, each of them a link back. */
function Trail({ code, onGo }: { code: string; onGo: (code: string | null) => void }) {
  const [steps, setSteps] = useState<readonly RegionStep[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void regionTrail(code, language).then((trail) => {
      if (isCurrent) setSteps(trail);
    });
    return () => {
      isCurrent = false;
    };
  }, [code]);
  const items = [{ code: null, name: phrase('overview.country') }, ...steps];
  return (
    <nav className={styles.trail} aria-label={phrase('overview.region')}>
      <Breadcrumb
        items={items.map((step, index) => ({
          key: step.code ?? 'all',
          title:
            index === items.length - 1 ? (
              <span aria-current="location">{step.name}</span>
            ) : (
              <button type="button" className={styles.trailButton} onClick={() => onGo(step.code)}>
                {step.name}
              </button>
            ),
        }))}
      />
    </nav>
  );
}

function MapWaiting() {
  return (
    <div className={styles.mapWaiting} role="status">
      {phrase('overview.mapLoading')}
    </div>
  );
}

function ListWaiting() {
  return (
    <div className={styles.listWaiting} aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={index} active title={{ width: '60%' }} paragraph={{ rows: 1, width: '90%' }} />
      ))}
    </div>
  );
}
