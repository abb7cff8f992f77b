import type { AnswerOf } from '@voltdeck/contract/route';
import type { ScreenCode } from '@voltdeck/contract/screens';
import type { FoundKind, searchRecords } from '@voltdeck/contract/search';
import type { AgentId, CardId, CustomerId, OrderId, SiteId, StationId } from '@voltdeck/units/id';
import { to } from '../session/to.ts';
import { findable } from '../ui/is-masked.ts';

export type FoundAnswer = AnswerOf<typeof searchRecords>[number];
type Found = FoundAnswer['items'][number];
type FoundTotal = FoundAnswer['totals'][number];
type Place = { screen: ScreenCode; address: string };

/**
 * Where a record of each kind can be shown, best place first. Records without a screen yet are shown by what belongs to
 * them.
 */
const placesOf: Readonly<Record<FoundKind, (found: Found) => readonly Place[]>> = {
  order: ({ id }) =>
    (['orderListDetailHistory', 'orderListDetailReal', 'orderListDetailAbnormal'] as const).map((screen) => ({
      screen,
      address: to(screen, { id: id as OrderId }),
    })),
  station: ({ id, number }) => [
    { screen: 'deviceDetail', address: to('deviceDetail', { id: id as StationId }) },
    { screen: 'deviceList', address: to('deviceList', { number }) },
  ],
  connector: ({ number }) => [{ screen: 'portList', address: to('portList', { stationNumber: number }) }],
  site: ({ id, number }) => [
    { screen: 'home', address: to('home', { site: id }) },
    { screen: 'plotList', address: to('plotList', { name: number }) },
    { screen: 'deviceList', address: to('deviceList', { siteId: id as SiteId }) },
  ],
  card: ({ id, number }) => [
    { screen: 'cardList', address: to('cardList', { number: findable(number) }) },
    { screen: 'orderListHistory', address: to('orderListHistory', { cardId: id as CardId }) },
  ],
  customer: ({ id, number }) => [
    { screen: 'registerUser', address: to('registerUser', { phone: findable(number) }) },
    { screen: 'orderListHistory', address: to('orderListHistory', { customerId: id as CustomerId }) },
  ],
  agent: ({ id, number }) => [
    { screen: 'operatorList', address: to('operatorList', { realName: number }) },
    { screen: 'deviceList', address: to('deviceList', { agentId: id as AgentId }) },
  ],
  tariff: ({ number }) => [{ screen: 'rulesList', address: to('rulesList', { name: number }) }],
  user: ({ number }) => [{ screen: 'user', address: to('user', { text: findable(number) }) }],
  position: ({ number }) => [{ screen: 'role', address: to('role', { name: number }) }],
  article: ({ number }) => [{ screen: 'newsList', address: to('newsList', { title: number }) }],
  config: ({ number }) => [{ screen: 'configList', address: to('configList', { key: number }) }],
};

type MayGo = (screen: ScreenCode) => boolean;

/** The first screen that can show a found record and may be opened, with its address; null if there is none. */
export function placeOfFound(kind: FoundKind, found: Found, mayGo: MayGo): Place | null {
  return placesOf[kind](found).find(({ screen }) => mayGo(screen)) ?? null;
}

/** The address of the list filtered to all matches; null if the list may not be opened. */
export function listOfFound({ list, filter }: FoundTotal, text: string, mayGo: MayGo): string | null {
  return mayGo(list) ? to(list, { [filter]: text }) : null;
}
