import { DownOutlined, ExportOutlined, ReloadOutlined, SafetyCertificateOutlined } from '@ant-design/icons';
import { useIsFetching } from '@tanstack/react-query';
import {
  getPortUse,
  getSalesSummary,
  getSiteRanking,
  getStatistics,
  getStatisticsFile,
  getWeekHours,
  siteRankings,
  statisticsMeasures,
} from '@voltdeck/contract/statistics';
import { instant, shanghaiDateTime, shanghaiDayStart } from '@voltdeck/units/instant';
import { Button, Dropdown, Segmented, Skeleton, Tooltip } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { isPlatform } from '../session/reach.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { Instant } from '../ui/Instant.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { saveFile } from '../ui/save-file.ts';
import { useAddress } from '../ui/use-address.ts';
import { useNow } from '../ui/use-now.ts';
import { useTell } from '../ui/use-tell.ts';
import { withWords } from '../words.ts';
import { measureName } from './measure-words.ts';
import { PortPanels } from './PortPanels.tsx';
import { type PictureAlbum, PictureAlbumContext } from './picture-album.ts';
import { SitePanels } from './SitePanels.tsx';
import { SplitPanels } from './SplitPanels.tsx';
import { StatisticsFilters } from './StatisticsFilters.tsx';
import { cardTexts, SummaryCards } from './SummaryCards.tsx';
import type { Asked } from './sales-query.ts';
import styles from './statistics.module.css';
import { changeView, readView, type ViewParameter } from './statistics-view.ts';
import { TimePanels } from './TimePanels.tsx';
import { WeekPanel } from './WeekPanel.tsx';

const ForecastPanel = lazyPart(withWords(['forecast'], () => import('./ForecastPanel.tsx')));
const SalesProofDrawer = lazyPart(() => import('./SalesProofDrawer.tsx'));

/** Figures of a period that runs are asked for again no sooner than this, and only while the page is visible. */
const liveEveryMs = 30_000;
/** How often the page looks whether a new day has begun. */
const dayCheckMs = 60_000;

const routes = [getSalesSummary, getStatistics, getSiteRanking, getPortUse, getWeekHours] as const;
const picture = { widthPx: 1_440, columns: 2 } as const;

/** What charges brought: over time, how it splits, where, and how well the ports are used; /statisticsList. */
export default function StatisticsPage() {
  const [search, setSearch] = useAddress();
  const session = useSession();
  const can = useCan();
  const refresh = useRefresh();
  const tell = useTell();
  const today = shanghaiDayStart(instant(useNow(dayCheckMs)));
  const album = useRef<PictureAlbum>(new Map());
  const [isProofOpen, setProofOpen] = useState(false);
  const [isSaving, setSaving] = useState(false);

  const address = search.toString();
  const view = useMemo(() => readView(new URLSearchParams(address), today), [address, today]);
  const isRunning = view.period.to >= shanghaiDateTime(today).slice(0, 10);
  const asked = useMemo(
    (): Asked => ({
      query: { ...view.period, ...view.filter },
      options: { keepPrevious: true, staleMs: liveEveryMs, everyMs: () => (isRunning ? liveEveryMs : null) },
    }),
    [view, isRunning],
  );
  const summary = useAnswer(
    getSalesSummary,
    { query: { ...asked.query, comparedWith: view.comparedWith } },
    asked.options,
  );
  const change = (changes: Readonly<Partial<Record<ViewParameter, string | undefined>>>) =>
    setSearch((current) => changeView(current, changes));

  const fileName = `${phrase('menu.statisticsList')} ${view.period.from} ${view.period.to}`;
  const saving = async (save: () => Promise<unknown>) => {
    setSaving(true);
    try {
      await save();
    } catch (failure) {
      tell(failure);
    } finally {
      setSaving(false);
    }
  };
  const saveWorkbook = () =>
    saving(() =>
      fetchFile(getStatisticsFile, {
        query: { ...asked.query, comparedWith: view.comparedWith, step: view.step, by: view.by },
      }),
    );
  const savePicture = () =>
    saving(async () => {
      const { picture: draw } = await import('../ui/chart-picture.ts');
      const charts = [...album.current].sort(([one], [other]) => one - other).map(([, chart]) => chart);
      const at = shanghaiDateTime(instant(Date.now()));
      const file = await draw({
        ...picture,
        title: phrase('menu.statisticsList'),
        lines: [phrase('statistics.pictureLine', { from: view.period.from, to: view.period.to, at })],
        figures: summary.data === undefined ? [] : cardTexts(summary.data),
        charts,
      });
      saveFile(file, `${fileName}.png`);
    });
  const exports = [
    { key: 'xlsx', label: phrase('statistics.asWorkbook'), onClick: () => void saveWorkbook() },
    { key: 'png', label: phrase('statistics.asPicture'), onClick: () => void savePicture() },
    { key: 'print', label: phrase('statistics.print'), onClick: () => print() },
  ];
  const refetch = () => void refresh(...routes);
  // The sums are those of all agents.
  const mayProve = isPlatform(session) && can('statistics.rebuild');
  const proof = { key: 'proof', label: phrase('statistics.proof'), onClick: () => setProofOpen(true) };
  useOfferedActs([
    ...exports,
    { key: 'refresh', label: phrase('list.refresh'), onClick: refetch },
    ...(mayProve ? [proof] : []),
  ]);
  const wholeFrom = summary.data?.kept.wholeFrom ?? null;

  return (
    <PictureAlbumContext value={album.current}>
      <div className={styles.page}>
        <h1 className="for-readers">{phrase('menu.statisticsList')}</h1>
        <StatisticsFilters view={view} search={search} onChange={change} />
        <div className={styles.bar}>
          <p className={styles.asOf}>
            <span className="figure">
              {view.period.from === view.period.to ? view.period.from : `${view.period.from} – ${view.period.to}`}
            </span>
            {summary.data === undefined ? null : (
              <>
                {' · '}
                {phrase('statistics.asOf')} <Instant at={summary.data.kept.at} />
              </>
            )}
          </p>
          <div className={styles.tools}>
            {mayProve ? (
              <Button icon={<SafetyCertificateOutlined />} onClick={proof.onClick}>
                {proof.label}
              </Button>
            ) : null}
            <Dropdown menu={{ items: exports }} trigger={['click']}>
              <Button loading={isSaving} icon={<ExportOutlined />}>
                {phrase('list.export')} <DownOutlined />
              </Button>
            </Dropdown>
            <RefreshButton onRefresh={refetch} />
          </div>
        </div>
        {wholeFrom === null || wholeFrom <= view.period.from ? null : (
          <p className={styles.partial} role="status">
            {phrase('statistics.partial', { day: wholeFrom })}
          </p>
        )}
        <SummaryCards view={view} answer={summary} />
        <h2 className={styles.heading}>{phrase('statistics.overTime')}</h2>
        <div className={styles.grid}>
          <TimePanels view={view} asked={asked} />
        </div>
        <div className={styles.headingLine}>
          <h2 className={styles.heading}>{phrase('statistics.splits')}</h2>
          <Segmented
            aria-label={phrase('statistics.measure')}
            value={view.measure}
            onChange={(measure) => change({ measure: measure === 'receivable' ? undefined : measure })}
            options={statisticsMeasures.map((value) => ({ value, label: measureName(value) }))}
          />
        </div>
        <div className={styles.grid}>
          <SplitPanels view={view} answer={summary} />
          <WeekPanel view={view} asked={asked} />
        </div>
        <div className={styles.headingLine}>
          <h2 className={styles.heading}>{phrase('statistics.sites')}</h2>
          <Segmented
            aria-label={phrase('statistics.rankedBy')}
            value={view.by}
            onChange={(by) => change({ by: by === 'receivable' ? undefined : by })}
            options={siteRankings.map((value) => ({ value, label: measureName(value) }))}
          />
        </div>
        <div className={styles.grid}>
          <SitePanels view={view} asked={asked} />
        </div>
        <h2 className={styles.heading}>{phrase('statistics.ports')}</h2>
        <div className={styles.grid}>
          <PortPanels view={view} asked={asked} />
        </div>
        <Suspense fallback={<Skeleton active paragraph={{ rows: 5 }} />}>
          <ForecastPanel query={view.filter} />
        </Suspense>
      </div>
      {mayProve ? (
        <Suspense>
          <SalesProofDrawer open={isProofOpen} period={view.period} onClose={() => setProofOpen(false)} />
        </Suspense>
      ) : null}
    </PictureAlbumContext>
  );
}

/** Spins while any figure loads. Separate, so that the page does not render for every request. */
function RefreshButton({ onRefresh }: { onRefresh: () => void }) {
  const isAsking =
    useIsFetching({ predicate: ({ queryKey: [path] }) => routes.some((route) => route.path === path) }) > 0;
  return (
    <Tooltip title={phrase('list.refresh')}>
      <Button
        type="text"
        aria-label={phrase('list.refresh')}
        icon={<ReloadOutlined spin={isAsking} />}
        onClick={onRefresh}
      />
    </Tooltip>
  );
}
