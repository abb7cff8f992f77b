import { getConfigByKey } from '@voltdeck/contract/access';
import { configuredNavigation, navigationAppsKey } from '@voltdeck/contract/navigation-apps';
import { minuteMs } from '@voltdeck/units/instant';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { navigationTo } from './navigation-to.ts';

/** How long the choice of services is kept; it hardly ever changes. */
const keptMs = 10 * minuteMs;

/** The way to a site by the configured services; nothing where none is. */
export function NavigationLinks({ site }: { site: Parameters<typeof navigationTo>[1] }) {
  const answer = useAnswer(
    getConfigByKey,
    { query: { configKey: navigationAppsKey }, quiet: true },
    { staleMs: keptMs },
  );
  const apps = configuredNavigation(answer.data ?? '') ?? [];
  return apps.map((app) => {
    const name = phrase(`shell.navigation.${app}`);
    return (
      <a key={app} href={navigationTo(app, site)} target="_blank" rel="noreferrer" title={name}>
        {apps.length === 1 ? phrase('shell.navigation') : phrase('shell.navigationBy', { app: name })}
      </a>
    );
  });
}
