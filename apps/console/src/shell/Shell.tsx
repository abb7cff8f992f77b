import { useQueryClient } from '@tanstack/react-query';
import { type ScreenCode, screenAt, screenOf } from '@voltdeck/contract/screens';
import { App } from 'antd';
import {
  memo,
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
import { UNSAFE_LocationContext as LocationContext, Navigate, NavigationType, useLocation } from 'react-router';
import { signOut } from '../access/leave.ts';
import { configuredTitle, onConfiguredTitle, showPageTitle } from '../access/title.ts';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { landingPath, pathsOf, screensOf, shownMenus } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { to } from '../session/to.ts';
import { useMayGo } from '../session/use-go.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { forgetDrafts } from '../ui/drafts.ts';
import { useMobile } from '../ui/use-narrow.ts';
import { withWords } from '../words.ts';
import { AwaitingPage } from './AwaitingPage.tsx';
import { type FramePlace, FramePlaceContext, useFramePlace, useMenuPath } from './frame-place.ts';
import { InitialPasswordPage } from './InitialPasswordPage.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { Pages } from './Pages.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { loadPage, preloadPages } from './page-code.ts';
import { openSidebar, usePreferences } from './preferences.ts';
import { pulse } from './progress.ts';
import { SideMenu } from './SideMenu.tsx';
import { SignedOutBar } from './SignedOutBar.tsx';
import styles from './shell.module.css';
import { TabBar } from './TabBar.tsx';
import { TopBar } from './TopBar.tsx';
import { forgetTabs } from './tab-memory.ts';
import { setTabs, useTabStore } from './tab-store.ts';
import { affixedTab, openTab, type Tab, type TabRules, tabKeyOf } from './tabs.ts';
import { useEvents } from './use-events.ts';
import { useScrolledAway } from './use-scrolled-away.ts';
import { useShellKeys } from './use-shell-keys.ts';
import { useTitleOf } from './use-title-of.ts';
import { useWaitingNotices } from './use-waiting-notices.tsx';

const SideDrawer = lazyPart(() => import('./SideDrawer.tsx'));
const ProfileForm = lazyPart(withWords(['content', 'errors'], () => import('./ProfileForm.tsx')));
const ChangePasswordForm = lazyPart(() => import('./ChangePasswordForm.tsx'));
const SearchDialog = lazyPart(withWords(['search'], () => import('./SearchDialog.tsx')));
const KeysDialog = lazyPart(withWords(['search'], () => import('./KeysDialog.tsx')));
const SettingsPanel = lazyPart(() => import('./SettingsPanel.tsx'));

const homePath = to('home');
const screenFacts = (path: string) => {
  const code = screenAt(path);
  return code === undefined ? undefined : screenOf(code);
};
const tabRules: TabRules = {
  tabBy: (path) => screenFacts(path)?.tabBy,
  isAffixed: (path) => path === homePath,
};

/** All links of the frame are absolute, so it need not depend on the window's address. */
const nowhere = {
  location: { pathname: '/', search: '', hash: '', state: null, key: 'frame', mask: undefined },
  navigationType: NavigationType.Pop,
};

/**
 * The frame around the pages. Redirects to an allowed page if the address is not one. Parts that depend on the address
 * use `FramePlaceContext`; the rest does not render on navigation.
 */
export function Shell() {
  useWaitingNotices();
  const { user, menus, reachable } = useSession();
  const { pathname, search, key: historyKey } = useLocation();
  const allowed = useMemo(() => pathsOf(reachable), [reachable]);
  const landing = landingPath(pathname, menus, allowed, homePath);
  const isPlaced = landing === pathname && !user.mustChangePassword;
  const place = usePlace(allowed, isPlaced ? { pathname, search, historyKey } : null);
  if (user.mustChangePassword) return <InitialPasswordPage />;
  if (landing === null) return <AwaitingPage />;
  if (place === null) return <Navigate to={landing} replace />;
  return (
    <FramePlaceContext value={place}>
      <LocationContext value={nowhere}>
        <Frame />
      </LocationContext>
    </FramePlaceContext>
  );
}

type At = { pathname: string; search: string; historyKey: string };

/** The tabs at an address, including the tab of that address. */
function usePlace(allowed: ReadonlySet<string>, at: At | null): FramePlace | null {
  const kept = useTabStore((store) => store.tabs);
  const leaving = useTabStore((store) => store.leaving);
  const { pathname = '', search = '', historyKey = '' } = at ?? {};
  const isPlaced = at !== null;
  const tabs = useMemo(() => {
    if (!isPlaced || leaving === historyKey) return kept;
    const withHome: readonly Tab[] = allowed.has(homePath) && kept.length === 0 ? [affixedTab(homePath)] : kept;
    return openTab(withHome, pathname, search, tabRules);
  }, [kept, leaving, historyKey, pathname, search, allowed, isPlaced]);
  const parent = screenFacts(pathname)?.parent;
  const menuPath = parent === undefined ? pathname : to(parent);
  useLayoutEffect(() => {
    if (tabs !== kept) setTabs(() => tabs);
    if (isPlaced) useMenuPath.setState({ menuPath });
  }, [tabs, kept, menuPath, isPlaced]);
  const activeKey = tabKeyOf(pathname, search, tabRules.tabBy(pathname));
  const place = useMemo(
    () => ({ path: pathname, historyKey, tabs, activeKey, menuPath }),
    [pathname, historyKey, tabs, activeKey, menuPath],
  );
  return isPlaced ? place : null;
}

type Overlay = 'drawer' | 'keys' | 'profile' | 'password' | 'search' | 'settings';

const Frame = memo(function Frame() {
  const { menus, reachable } = useSession();
  const mayGo = useMayGo();
  const isMobile = useMobile();
  const { isSidebarOpen, layout } = usePreferences();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const allowed = useMemo(() => pathsOf(reachable), [reachable]);
  const shown = useMemo(() => shownMenus(menus, allowed), [menus, allowed]);
  const screens = useMemo(() => screensOf(shown), [shown]);
  useEvents();
  usePreloading(reachable);

  const closeOverlay = useCallback(() => setOverlay(null), []);
  const { leave, signOutElsewhere } = useLeaving();
  const acts = useMemo(
    () => ({
      onSearch: () => setOverlay('search'),
      onSettings: () => setOverlay('settings'),
      onProfile: () => setOverlay('profile'),
      onChangePassword: () => setOverlay('password'),
      onKeys: () => setOverlay('keys'),
    }),
    [],
  );
  useShellKeys(acts);
  const onToggleSidebar = useCallback(() => {
    if (isMobile) setOverlay('drawer');
    else openSidebar(!isSidebarOpen);
  }, [isMobile, isSidebarOpen]);

  const menu = (isFolded: boolean) => <SideMenu menus={shown} isFolded={isFolded} onChoose={closeOverlay} />;

  return (
    <div className={styles.frame} data-folded={!isSidebarOpen} data-mobile={isMobile}>
      <a className={styles.skip} href="#content">
        {phrase('shell.skipToContent')}
      </a>
      <ProgressBar />
      <WindowTitle />
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
        <TopEdge isAwayAllowed={!layout.fixedHeader}>
          <TopBar
            isSidebarOpen={isMobile ? overlay === 'drawer' : isSidebarOpen}
            hasTasks={mayGo('taskList')}
            onToggleSidebar={onToggleSidebar}
            onSignOutElsewhere={signOutElsewhere}
            onLogout={leave}
            {...acts}
          />
          {layout.tagsView ? <TabBar /> : null}
        </TopEdge>
        <OfflineBar />
        <SignedOutBar />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Pages />
        </main>
      </div>
      <Suspense>
        {overlay === 'profile' ? <ProfileForm onClose={closeOverlay} /> : null}
        {overlay === 'password' ? <ChangePasswordForm onClose={closeOverlay} /> : null}
        {overlay === 'search' ? (
          <SearchDialog
            screens={screens}
            allowed={allowed}
            onClose={closeOverlay}
            onSignOutElsewhere={signOutElsewhere}
            onLogout={leave}
            {...acts}
          />
        ) : null}
        {overlay === 'keys' ? <KeysDialog onClose={closeOverlay} /> : null}
        <Kept isOpen={overlay === 'settings'}>
          <SettingsPanel open={overlay === 'settings'} onClose={closeOverlay} />
        </Kept>
      </Suspense>
    </div>
  );
});

/** Sets the window's title to that of the page, and indicates navigation. */
function WindowTitle() {
  const { path, activeKey, historyKey } = useFramePlace();
  const title = useTitleOf()({ key: activeKey, path });
  useEffect(() => showPageTitle(title), [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every entry of the history is a navigation
  useEffect(() => pulse(), [historyKey]);
  return null;
}

/** The bars above the pages, which scroll away with the page unless the header is fixed. */
function TopEdge({ isAwayAllowed, children }: { isAwayAllowed: boolean; children: ReactNode }) {
  const { activeKey } = useFramePlace();
  const isAway = useScrolledAway(isAwayAllowed, activeKey);
  return (
    <div className={styles.top} data-away={isAway}>
      {children}
    </div>
  );
}

/** Preloads a page when the user is about to open it, and the others when the browser is idle. */
function usePreloading(reachable: ReadonlySet<ScreenCode>): void {
  const answers = useQueryClient();
  useEffect(() => {
    const onIntent = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link === null || link.origin !== location.origin) return;
      const screen = screenAt(link.pathname);
      if (screen !== undefined && reachable.has(screen)) void loadPage(screen);
    };
    document.addEventListener('pointerover', onIntent, { passive: true });
    document.addEventListener('focusin', onIntent);
    return () => {
      document.removeEventListener('pointerover', onIntent);
      document.removeEventListener('focusin', onIntent);
    };
  }, [reachable]);
  useEffect(() => {
    void preloadPages([...reachable], answers);
  }, [reachable, answers]);
}

/** Renders its children from the first time it is open, so that closing can be animated. */
function Kept({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? children : null;
}

/** Signing out here, and everywhere else. */
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
          act: async (idempotencyKey) => {
            const { signOutSelf } = await import('@voltdeck/contract/users');
            await call(signOutSelf, { idempotencyKey });
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
