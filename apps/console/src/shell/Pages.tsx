import { Activity, memo, Suspense, useCallback, useMemo } from 'react';
import { UNSAFE_LocationContext as LocationContext, NavigationType } from 'react-router';
import { pages } from '../routes.tsx';
import { TabTitleContext } from '../ui/tab-title.ts';
import { PageBoundary } from './PageBoundary.tsx';
import { useOnTheWay } from './progress.ts';
import styles from './shell.module.css';
import { nameTab } from './tab-store.ts';
import type { Tab } from './tabs.ts';

function OnTheWay() {
  useOnTheWay();
  return null;
}

type TabPageProps = { tabKey: string; path: string; search: string; title: string };

/**
 * A page in its tab. It gets its own address instead of the window's, so that a hidden page keeps its query string,
 * and so that going elsewhere and coming back renders nothing of it: the router's own Routes would hear every change of
 * the window's address.
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
  const Page = pages[path]?.page;
  if (Page === undefined) return null;
  return (
    <LocationContext value={here}>
      <section className={styles.tabPage} aria-label={title}>
        <PageBoundary>
          <Suspense fallback={<OnTheWay />}>
            <TabTitleContext value={nameThisTab}>
              <Page />
            </TabTitleContext>
          </Suspense>
        </PageBoundary>
      </section>
    </LocationContext>
  );
});

type Props = { tabs: readonly Tab[]; activeKey: string; titleOf: (tab: Tab) => string };

/** Every open page; those out of sight keep what was typed, and rest. */
export function Pages({ tabs, activeKey, titleOf }: Props) {
  return tabs.map((tab) => {
    if (tab.seen === 0) return null;
    const isActive = tab.key === activeKey;
    const key = `${tab.key} ${tab.life}`;
    const page = <TabPage tabKey={tab.key} path={tab.path} search={tab.search} title={titleOf(tab)} />;
    if (pages[tab.path]?.noCache)
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
