import type { ListName } from '@voltdeck/contract/list';
import { type ListScreen, listScreens } from '@voltdeck/contract/list-screens';
import { lists } from '@voltdeck/contract/routes';

const screens = new Map<string, ListScreen>([
  ...[...lists].map(([, { path, name }]): [string, ListScreen] => [path, { list: name, fixed: {} }]),
  ...Object.entries(listScreens),
]);

/** The list that saved filters belong to, by the name of their screen; null for the page of one record. */
export const listOfScreen = (screen: string): ListName | null => screens.get(screen)?.list ?? null;

/** What saved filters say of their list, together with what their screen fixes. */
export function keptQuery({ list: screen, query }: { list: string; query: string }): Record<string, string> {
  return { ...screens.get(screen)?.fixed, ...Object.fromEntries(new URLSearchParams(query)) };
}
