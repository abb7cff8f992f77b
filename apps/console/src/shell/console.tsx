import { screenAt } from '@voltdeck/contract/screens';
import '../ui/frame.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import type { Root } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { leaveToLogin } from '../access/leave.ts';
import type { SessionAnswer } from '../access/session-request.ts';
import { configuredTitle, onConfiguredTitle, showApplicationTitle, showPageTitle } from '../access/title.ts';
import { listen } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { reactTo } from '../api/reactions.ts';
import { readToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { pathsOf } from '../session/menus.ts';
import { beginSession } from '../session/session.ts';
import { to } from '../session/to.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { loadViews } from '../ui/list/view-store.ts';
import { withWords } from '../words.ts';
import { Look, loadLocale } from './Look.tsx';
import { loadPage } from './page-code.ts';
import { applyPreferences, followSystemAppearance, usePreferences } from './preferences.ts';
import { Shell } from './Shell.tsx';
import { screenPath, screenTheme } from './screen-address.ts';
import { rememberToken } from './session-loss.ts';
import styles from './shell.module.css';
import { keepTabs, readTabs, tabsFromText } from './tab-memory.ts';
import { useTabStore } from './tab-store.ts';
import { useEvents } from './use-events.ts';

const ScreenPage = lazyPart(withWords(['overview', 'screen', 'stations'], () => import('../overview/ScreenPage.tsx')));

/**
 * Queries are fetched again when a page becomes visible or the network returns; retries are the client's
 * (api/attempts.ts). Requests without a network fail visibly instead of being held back silently.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: false,
      staleTime: 0,
      gcTime: 5 * 60_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Restores the tabs open before a reload, and from now on stores them for the next. */
function restoreTabs(userId: number, allowed: ReadonlySet<string>): void {
  useTabStore.setState(tabsFromText(readTabs(), userId, allowed, (path) => path === to('home')));
  useTabStore.subscribe((kept) => keepTabs(userId, kept));
}

function Screen() {
  useEvents();
  const title = useSyncExternalStore(onConfiguredTitle, configuredTitle);
  useEffect(() => showPageTitle(phrase('shell.screen')), []);
  return <ScreenPage title={title} />;
}

/** Shown when the session could not be determined. */
function StartFailure({ answer }: { answer: Exclude<SessionAnswer, { kind: 'session' | 'unverified' }> }) {
  useEffect(() => {
    if (answer.kind === 'refused') reactTo(answer.verdict, true);
  }, [answer]);
  return (
    <main className={styles.alone}>
      <ErrorState
        failure={answer.kind === 'refused' ? answer.verdict.refused : answer.failure}
        retry={() => location.reload()}
      />
    </main>
  );
}

/** Renders the signed-in console once the session is known. */
export async function renderConsole(root: Root, session: Promise<SessionAnswer>): Promise<void> {
  const isScreen = location.pathname === screenPath;
  const fixedTheme = isScreen ? screenTheme(location.search) : null;
  if (fixedTheme !== null) {
    applyPreferences({ ...usePreferences.getState(), appearance: fixedTheme });
  } else {
    applyPreferences();
    followSystemAppearance();
  }
  // Load the code of the first page while the session is being fetched.
  const landing = screenAt(location.pathname);
  if (landing !== undefined) void loadPage(landing);
  rememberToken(readToken());
  showApplicationTitle(null);
  listen('missed', () => void fetchAgain(queries));
  const [locale, answer] = await Promise.all([loadLocale(), session]);
  if (answer.kind === 'unverified') {
    leaveToLogin(phrase('shell.verificationFailed'));
    return;
  }
  if (answer.kind !== 'session') {
    root.render(
      <Look locale={locale}>
        <StartFailure answer={answer} />
      </Look>,
    );
    return;
  }
  const { user, reachable } = beginSession({ user: answer.user, menus: answer.menus });
  if (isScreen) {
    root.render(
      <Look locale={locale} {...(fixedTheme === null ? {} : { appearance: fixedTheme })}>
        <QueryClientProvider client={queries}>
          <Suspense>
            <Screen />
          </Suspense>
        </QueryClientProvider>
      </Look>,
    );
    return;
  }
  if (!user.mustChangePassword) void loadViews(user.id);
  restoreTabs(user.id, pathsOf(reachable));
  root.render(
    <Look locale={locale}>
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Shell />
        </BrowserRouter>
      </QueryClientProvider>
    </Look>,
  );
}
