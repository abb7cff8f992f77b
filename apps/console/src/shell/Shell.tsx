import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Navigate, useLocation } from 'react-router';
import { signOut } from '../access/leave.ts';
import { configuredTitle, onConfiguredTitle, showPageTitle } from '../access/title.ts';
import { call } from '../api/call.ts';
import { startEvents } from '../api/events.ts';
import { phrase } from '../phrases.ts';
import { homePath, pages } from '../routes.tsx';
import { landingPath, reachablePages, screensOf, shownMenus, trailTo } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { forgetDrafts } from '../ui/drafts.ts';
import { useMobile } from '../ui/use-narrow.ts';
import { AwaitingPage } from './AwaitingPage.tsx';
import { InitialPasswordPage } from './InitialPasswordPage.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { Pages } from './Pages.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { openSidebar, usePreferences } from './preferences.ts';
import { pulse } from './progress.ts';
import { SideMenu } from './SideMenu.tsx';
import { SignedOutBar } from './SignedOutBar.tsx';
import { checkOwner, useSessionLoss } from './session-loss.ts';
import styles from './shell.module.css';
import { TabBar } from './TabBar.tsx';
import { type Crumb, TopBar, taskListPath } from './TopBar.tsx';
import { forgetTabs } from './tab-memory.ts';
import { setTabs, useTabStore } from './tab-store.ts';
import { affixedTab, openTab, type Tab, type TabRules, tabKeyOf } from './tabs.ts';
import { useScrolledAway } from './use-scrolled-away.ts';

const SideDrawer = lazy(() => import('./SideDrawer.tsx'));
const ChangePasswordForm = lazy(() => import('./ChangePasswordForm.tsx'));
const SearchDialog = lazy(() => import('./SearchDialog.tsx'));
const SettingsPanel = lazy(() => import('./SettingsPanel.tsx'));

const tabRules: TabRules = {
  tabBy: (path) => pages[path]?.tabBy,
  isAffixed: (path) => path === homePath,
};

/** Sends whoever wants another place than those of the menus to one of them. */
export function Shell() {
  const { user, menus } = useSession();
  const { pathname } = useLocation();
  const allowed = useMemo(() => reachablePages(menus, pages), [menus]);
  const landing = landingPath(pathname, menus, allowed, homePath);
  if (user.mustChangePassword) return <InitialPasswordPage />;
  if (landing === null) return <AwaitingPage />;
  if (landing !== pathname) return <Navigate to={landing} replace />;
  return <Frame allowed={allowed} />;
}

type Overlay = 'drawer' | 'password' | 'search' | 'settings';

function Frame({ allowed }: { allowed: ReadonlySet<string> }) {
  const { menus } = useSession();
  const { pathname, search, key: historyKey } = useLocation();
  const isMobile = useMobile();
  const { isSidebarOpen, layout } = usePreferences();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const content = useRef<HTMLElement>(null);
  const store = useTabStore();
  useEvents();

  const { tabs: kept, leaving, titles } = store;
  const tabs = useMemo(() => {
    if (leaving === historyKey) return kept;
    const withHome: readonly Tab[] = allowed.has(homePath) && kept.length === 0 ? [affixedTab(homePath)] : kept;
    return openTab(withHome, pathname, search, tabRules);
  }, [kept, leaving, historyKey, pathname, search, allowed]);
  useLayoutEffect(() => {
    if (tabs !== kept) setTabs(() => tabs);
  }, [tabs, kept]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the address is a navigation
  useEffect(() => pulse(), [pathname, search]);

  const activeKey = tabKeyOf(pathname, search, tabRules.tabBy(pathname));
  const menuPath = pages[pathname]?.parent ?? pathname;
  const shown = useMemo(() => shownMenus(menus, allowed), [menus, allowed]);
  const screens = useMemo(() => screensOf(shown), [shown]);
  const titleOf = useCallback(
    (tab: Pick<Tab, 'key' | 'path'>) => {
      const own = titles[tab.key];
      if (own !== undefined) return own;
      const key = pages[tab.path]?.titleKey;
      return trailTo(menus, tab.path).at(-1)?.name ?? (key === undefined ? tab.path : phrase(key));
    },
    [titles, menus],
  );
  const title = titleOf({ key: activeKey, path: pathname });
  useEffect(() => showPageTitle(title), [title]);

  const crumbs = useMemo(() => {
    const trail: Crumb[] = trailTo(menus, menuPath).map((menu) => ({ title: menu.name, path: menu.frontendUrl }));
    if (menuPath !== pathname || trail.length === 0) trail.push({ title, path: null });
    return trail;
  }, [menus, menuPath, pathname, title]);

  const closeOverlay = useCallback(() => setOverlay(null), []);
  const { leave, signOutElsewhere } = useLeaving();
  const acts = useMemo(
    () => ({
      onSearch: () => setOverlay('search'),
      onSettings: () => setOverlay('settings'),
      onChangePassword: () => setOverlay('password'),
    }),
    [],
  );
  useSearchKeys(acts.onSearch);
  const onToggleSidebar = useCallback(() => {
    if (isMobile) setOverlay('drawer');
    else openSidebar(!isSidebarOpen);
  }, [isMobile, isSidebarOpen]);
  const isAway = useScrolledAway(content, !layout.fixedHeader, activeKey);

  const menu = (isFolded: boolean) => (
    <SideMenu menus={shown} path={menuPath} isFolded={isFolded} onChoose={closeOverlay} />
  );

  return (
    <div className={styles.frame} data-folded={!isSidebarOpen} data-mobile={isMobile}>
      <a className={styles.skip} href="#content">
        {phrase('shell.skipToContent')}
      </a>
      <ProgressBar />
      {isMobile ? (
        <Suspense>
          <SideDrawer
            open={overlay === 'drawer'}
            onClose={closeOverlay}
            title={layout.sidebarLogo ? <Brand isFolded={false} /> : phrase('shell.mainMenu')}
          >
            <nav aria-label={phrase('shell.mainMenu')}>{menu(false)}</nav>
          </SideDrawer>
        </Suspense>
      ) : (
        <aside className={styles.sidebar}>
          {layout.sidebarLogo ? <Brand isFolded={!isSidebarOpen} /> : null}
          <nav className={styles.menu} aria-label={phrase('shell.mainMenu')}>
            {menu(!isSidebarOpen)}
          </nav>
        </aside>
      )}
      <div className={styles.column}>
        <div className={styles.top} data-away={isAway}>
          <TopBar
            crumbs={crumbs}
            isSidebarOpen={isMobile ? overlay === 'drawer' : isSidebarOpen}
            hasTasks={allowed.has(taskListPath)}
            onToggleSidebar={onToggleSidebar}
            onSignOutElsewhere={signOutElsewhere}
            onLogout={leave}
            {...acts}
          />
          {layout.tagsView ? <TabBar tabs={tabs} activeKey={activeKey} titleOf={titleOf} /> : null}
        </div>
        <OfflineBar />
        <SignedOutBar />
        <main id="content" ref={content} className={styles.content} tabIndex={-1}>
          <Pages tabs={tabs} activeKey={activeKey} titleOf={titleOf} />
        </main>
      </div>
      <Suspense>
        {overlay === 'password' ? <ChangePasswordForm onClose={closeOverlay} /> : null}
        {overlay === 'search' ? <SearchDialog screens={screens} allowed={allowed} onClose={closeOverlay} /> : null}
        <Kept isOpen={overlay === 'settings'}>
          <SettingsPanel open={overlay === 'settings'} onClose={closeOverlay} />
        </Kept>
      </Suspense>
    </div>
  );
}

/** Renders its children from the first time they are open on, so that they can move out of sight when they close. */
function Kept({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? children : null;
}

/** The event stream, which begins again with a session that was regained; what is shown is then asked for again. */
function useEvents(): void {
  const queries = useQueryClient();
  const regained = useSessionLoss((loss) => loss.regained);
  useEffect(() => {
    if (regained > 0) void queries.invalidateQueries();
    return startEvents();
  }, [regained, queries]);
  useEffect(() => {
    const onSight = () => {
      if (!document.hidden) void checkOwner();
    };
    document.addEventListener('visibilitychange', onSight);
    return () => document.removeEventListener('visibilitychange', onSight);
  }, []);
}

/** Ctrl K searches from anywhere; "/" where nothing is being typed and the page has no search of its own. */
function useSearchKeys(onSearch: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isCtrlK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey;
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isTyping =
        target !== null && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
      if (!isCtrlK && !(isSlash && !isTyping)) return;
      event.preventDefault();
      onSearch();
    };
    // At the window, after the pages at the document: a list takes "/" for its own first filter.
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onSearch]);
}

/** Logging out here, and everywhere but here. */
function useLeaving(): { leave: () => void; signOutElsewhere: () => void } {
  const confirm = useConfirm();
  const { message } = App.useApp();
  const latest = useRef({ confirm, message });
  useEffect(() => {
    latest.current = { confirm, message };
  });
  return useMemo(
    () => ({
      leave: async () => {
        const agreed = await latest.current.confirm({ question: phrase('shell.logoutConfirm') });
        if (!agreed) return;
        await signOut(() => {
          forgetTabs();
          forgetDrafts();
        });
      },
      signOutElsewhere: async () => {
        const done = await latest.current.confirm({
          question: phrase('shell.signOutElsewhereConfirm'),
          details: phrase('shell.signOutElsewhereText'),
          verb: phrase('shell.signOutElsewhere'),
          act: async () => {
            const { signOutSelf } = await import('@voltdeck/contract/users');
            await call(signOutSelf);
          },
        });
        if (done) latest.current.message.success(phrase('shell.signOutElsewhereDone'));
      },
    }),
    [],
  );
}

function Brand({ isFolded }: { isFolded: boolean }) {
  const configured = useSyncExternalStore(onConfiguredTitle, configuredTitle);
  return (
    <div className={styles.brand}>
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--strong)" />
        <path d="M17.6 4.5 8.4 17.8h5.9l-1.5 9.7 9.6-13.7h-6.2z" fill="#fff" />
      </svg>
      {isFolded ? null : <span>{configured ?? phrase('shell.brand')}</span>}
    </div>
  );
}
