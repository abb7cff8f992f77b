import { SearchOutlined } from '@ant-design/icons';
import { type ScreenCode, screenAt, screenTitle } from '@voltdeck/contract/screens';
import { searchedText } from '@voltdeck/contract/search';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import type { ShownScreen } from '../session/menus.ts';
import { menuIcon } from '../ui/menu-icons.tsx';
import type { OfferedAct } from '../ui/offered-acts.ts';
import { finderOf, type Match, type Spells } from './find-screens.ts';
import { type FoundAnswer, listOfFound, placeOfFound } from './found-places.ts';
import type { Visit } from './search-memory.ts';

type Shown = { key: string; title: string; detail: string; icon: ReactNode };
/** A line of the search: a page to open or an act. */
export type Entry = Shown & ({ path: string } | { act: OfferedAct });
export type Group = {
  key: string;
  title: string;
  entries: readonly Entry[];
  /** The distance of its best entry from the search text. */
  distance: number;
};

/**
 * A record found by its whole number or name comes first, others after screens and acts whose title matches, and those
 * that begin with the text before the rest.
 */
const distanceOf = { exact: -1, beginning: 0.2, part: 0.25 } as const satisfies Record<FoundAnswer['match'], number>;
/** Ranks entries used before above equally good ones. */
const usedBonus = 0.04;

function entryOfScreen({ path, title, icon, above }: ShownScreen): Entry {
  return { key: path, path, title, detail: above.join(' / '), icon: menuIcon(icon) };
}

export function entryOfAct(act: OfferedAct, icon: ReactNode): Entry {
  return { key: act.key, act, title: act.label, detail: act.because ?? '', icon };
}

/** The screen's title in the other language, from the phrases that its menu is seeded with. */
function otherTitleOf(path: string, others: Readonly<Record<string, string>>): string | undefined {
  const code = screenAt(path);
  return code === undefined ? undefined : others[screenTitle(code)];
}

export type Offer = {
  screens: readonly ShownScreen[];
  /** Acts of the current page and of the console. */
  groups: readonly { key: string; title: string; entries: readonly Entry[] }[];
};

/** Finds screens and acts; groups are sorted by their best match. */
export function entryFinder(
  { screens, groups }: Offer,
  others: Readonly<Record<string, string>>,
  spells: Spells | null,
): (text: string, visits: readonly Visit[]) => Group[] {
  const screenGroup = { key: 'screens', title: phrase('search.screens'), entries: screens.map(entryOfScreen) };
  const finders = [screenGroup, ...groups].map((group) => ({
    ...group,
    find: finderOf(
      group.entries.map((entry) => ({
        entry,
        title: entry.title,
        ...('path' in entry ? { path: entry.path, otherTitle: otherTitleOf(entry.path, others) } : {}),
      })),
      spells,
    ),
  }));
  return (text, visits) => {
    const isUsed = (entry: Entry) =>
      visits.some((visit) => ('act' in visit ? visit.act === entry.key : 'path' in entry && visit.path === entry.path));
    const near = ({ entry, distance }: Match<{ entry: Entry }>) => distance - (isUsed(entry.entry) ? usedBonus : 0);
    return finders.flatMap(({ key, title, find }) => {
      const found = find(text).sort((a, b) => near(a) - near(b));
      const [first] = found;
      if (first === undefined) return [];
      return [{ key, title, entries: found.map(({ entry }) => entry.entry), distance: near(first) }];
    });
  };
}

/** Recently used entries that are still available. */
export function recentOf(
  visits: readonly Visit[],
  offer: Offer,
  isAllowed: (path: string) => boolean,
  icon: ReactNode,
): Group[] {
  const acts = offer.groups.flatMap(({ entries }) => entries);
  const entries = visits.flatMap((visit): Entry[] => {
    if ('act' in visit) return acts.filter(({ key }) => key === visit.act);
    const screen = offer.screens.find(({ path }) => path === visit.path);
    if (screen !== undefined) return [entryOfScreen(screen)];
    if (!isAllowed(visit.path.split('?')[0] ?? visit.path)) return [];
    return [{ key: visit.path, path: visit.path, title: visit.title, detail: '', icon }];
  });
  return entries.length === 0 ? [] : [{ key: 'recent', title: phrase('search.recent'), entries, distance: 0 }];
}

/** The records that the server found, by kind, each with a link to the list if not all are shown. */
export function groupsOfFound(
  answer: readonly FoundAnswer[],
  text: string,
  mayGo: (screen: ScreenCode) => boolean,
  nameOf: (screen: ScreenCode) => string,
): Group[] {
  return answer.flatMap(({ kind, match, items, hasMore, totals }): Group[] => {
    const entries = items.flatMap((found): Entry[] => {
      const place = placeOfFound(kind, found, mayGo);
      if (place === null) return [];
      const { detail } = found;
      const shown =
        place.screen === 'orderListHistory'
          ? phrase('search.ordersOf', { detail })
          : place.screen === 'deviceList' && kind !== 'station'
            ? phrase('search.stationsOf', { detail })
            : detail;
      const key = `${kind} ${found.id}`;
      return [{ key, path: place.address, title: found.title, detail: shown, icon: menuIcon(iconOf[kind]) }];
    });
    if (entries.length === 0) return [];
    const more = totals.flatMap((total): Entry[] => {
      const path = listOfFound(total, searchedText(text.trim()), mayGo);
      // The same record may match in several ways; a way needs a link only if it matched more than is shown.
      if (path === null || (total.total <= items.length && totals.length === 1)) return [];
      if (total.total <= 1) return [];
      const params = { count: total.total, list: nameOf(total.list) };
      const title = phrase(total.totalIsAtLeast ? 'search.allAtLeast' : 'search.all', params);
      return [{ key: `all ${kind} ${total.list} ${total.filter}`, path, title, detail: '', icon: <SearchOutlined /> }];
    });
    const name = phrase(`search.kind.${kind}`);
    // No list finds the rest by this text: more of it does.
    const title = hasMore && more.length === 0 ? phrase('search.someOf', { name, count: entries.length }) : name;
    return [{ key: kind, title, entries: [...entries, ...more], distance: distanceOf[match] }];
  });
}

const iconOf = {
  order: 'order',
  station: 'station',
  connector: 'connector',
  site: 'site',
  card: 'card',
  customer: 'customer',
  vehicle: 'vehicle',
  agent: 'agent',
  group: 'group',
  group_member: 'customer',
  divider: 'divider',
  invoice: 'invoice',
  recharge: 'recharge',
  order_refund: 'refund',
  recharge_refund: 'refund',
  withdrawal: 'withdrawal',
  agent_withdrawal: 'withdrawal',
  channel_payment: 'recharge',
  transfer: 'recharge',
  gift: 'promotion',
  partner: 'partner',
  partner_charge: 'partner',
  roaming_charge: 'partner',
  tariff: 'tariff',
  user: 'user',
  position: 'position',
  article: 'article',
  config: 'config',
} as const satisfies Record<FoundAnswer['kind'], string>;
