import { type ScreenCode, screenAt, screenOf } from '@voltdeck/contract/screens';
import { Activity, memo, Suspense, useCallback, useLayoutEffect, useMemo } from 'react';
import { UNSAFE_LocationContext as LocationContext, NavigationType } from 'react-router';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { TabTitleContext } from '../ui/tab-title.ts';
import { useFramePlace } from './frame-place.ts';
import { PageBoundary } from './PageBoundary.tsx';
import { loadPage, usePage } from './page-code.ts';
import { useLoading } from './progress.ts';
import styles from './shell.module.css';
import { nameTab } from './tab-store.ts';
import { useTitleOf } from './use-title-of.ts';

function PageLoading() {
  useLoading();
  return null;
}

/** Shows the page as soon as its code is loaded, without `lazy`, which delays what it has suspended for. */
function PageOf({ screen }: { screen: ScreenCode }) {
  useLayoutEffect(() => void loadPage(screen), [screen]);
  const Page = usePage(screen);
  if (Page === undefined) return <PageLoading />;
  if (Page === 'awaits-network') return <EmptyState title={phrase('shell.pageAwaitsNetwork')} />;
  return <Page />;
}

type TabPageProps = { tabKey: string; path: string; search: string; title: string };

/**
 * A page in its tab. It gets its own address instead of the window's, so that a hidden page keeps its query string and
 * navigation does not render it: the router's own Routes would react to every change of the window's address.
 */
const TabPage = memo(function TabPage({ tabKey, path, search, title }: TabPageProps) {
  const here = useMemo(
    () => ({
      location: { pathname: path, search, hash: '', state: null, key: tabKey, mask: undefined },
      navigationType: NavigationType.Pop,
    }),
    [path, search, tabKey],
  );
  const nameThisTab = useCallback((given: string) => nameTab(tabKey, given), [tabKey]);
  const screen = screenAt(path);
  if (screen === undefined) return null;
  return (
    <LocationContext value={here}>
      <section className={styles.tabPage} aria-label={title}>
        <PageBoundary>
          <Suspense fallback={<PageLoading />}>
            <TabTitleContext value={nameThisTab}>
              <PageOf screen={screen} />
            </TabTitleContext>
          </Suspense>
        </PageBoundary>
      </section>
    </LocationContext>
  );
});

/** Every open page; hidden ones keep their input and pause. */
export function Pages() {
  const { tabs, activeKey } = useFramePlace();
  const titleOf = useTitleOf();
  return tabs.map((tab) => {
    if (tab.seen === 0) return null;
    const isActive = tab.key === activeKey;
    const key = `${tab.key} ${tab.life}`;
    const page = <TabPage tabKey={tab.key} path={tab.path} search={tab.search} title={titleOf(tab)} />;
    const code = screenAt(tab.path);
    if (code !== undefined && screenOf(code).noCache)
      return isActive ? (
        <div key={key} className={styles.tabPage}>
          {page}
        </div>
      ) : null;
    return (
      <Activity key={key} mode={isActive ? 'visible' : 'hidden'}>
        {page}
      </Activity>
    );
  });
}
