import '../ui/frame.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { Root } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { leaveToLogin } from '../access/leave.ts';
import type { SessionAnswer } from '../access/session-request.ts';
import { configuredTitle, onConfiguredTitle, showApplicationTitle, showPageTitle } from '../access/title.ts';
import { listen } from '../api/events.ts';
import { reactTo } from '../api/reactions.ts';
import { readToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { homePath, pages } from '../routes.tsx';
import { reachablePages } from '../session/menus.ts';
import { beginSession } from '../session/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Look, loadLocale } from './Look.tsx';
import { applyPreferences, followSystemAppearance, usePreferences } from './preferences.ts';
import { Shell } from './Shell.tsx';
import { screenPath } from './screen-address.ts';
import { knowToken } from './session-loss.ts';
import styles from './shell.module.css';
import { keepTabs, readTabs, tabsFromText } from './tab-memory.ts';
import { useTabStore } from './tab-store.ts';

const ScreenPage = lazy(() => import('../overview/ScreenPage.tsx'));

/**
 * Answers are asked for again when a page comes back to sight or the network returns; the client retries by itself
 * (api/attempts.ts). Nothing is held back without a network: it fails and says so, where holding back would say nothing.
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

/** The pages that were open before a reload, and from now on what of them the next one needs. */
function restoreTabs(userId: number, allowed: ReadonlySet<string>): void {
  useTabStore.setState(tabsFromText(readTabs(), userId, allowed, (path) => path === homePath));
  useTabStore.subscribe((kept) => keepTabs(userId, kept));
}

function Screen() {
  const title = useSyncExternalStore(onConfiguredTitle, configuredTitle);
  useEffect(() => showPageTitle(phrase('overview.screen')), []);
  return <ScreenPage title={title} />;
}

/** Nothing could be learned about who is signed in. */
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

/** Shows the signed-in console once it is known who signed in. */
export async function renderConsole(root: Root, session: Promise<SessionAnswer>): Promise<void> {
  const isScreen = location.pathname === screenPath;
  if (isScreen) {
    applyPreferences({ ...usePreferences.getState(), appearance: 'dark', size: 'small' });
  } else {
    applyPreferences();
    followSystemAppearance();
  }
  knowToken(readToken());
  showApplicationTitle(null);
  listen('missed', () => void queries.invalidateQueries());
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
  beginSession({ user: answer.user, menus: answer.menus });
  if (isScreen) {
    root.render(
      <Look locale={locale} appearance="dark">
        <QueryClientProvider client={queries}>
          <Suspense>
            <Screen />
          </Suspense>
        </QueryClientProvider>
      </Look>,
    );
    return;
  }
  restoreTabs(answer.user.id, reachablePages(answer.menus, pages));
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
