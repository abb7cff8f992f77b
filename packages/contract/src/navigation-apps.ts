/** Services whose apps and pages show the way to a site. */
export const navigationApps = ['amap', 'baidu', 'tencent', 'apple'] as const;
export type NavigationApp = (typeof navigationApps)[number];

/** The parameter that says which of them are offered, and in which order. */
export const navigationAppsKey = 'navigation_apps';

/** The services of a parameter such as "amap, baidu"; none for an empty one or "none", null when it is not usable. */
export function configuredNavigation(value: string): NavigationApp[] | null {
  const words = value
    .toLowerCase()
    .split(/[\s,，、;]+/)
    .filter((word) => word !== '');
  if (words.length === 0 || (words.length === 1 && words[0] === 'none')) return [];
  const apps = navigationApps.filter((app) => words.includes(app));
  return apps.length === words.length ? apps.toSorted((a, b) => words.indexOf(a) - words.indexOf(b)) : null;
}
