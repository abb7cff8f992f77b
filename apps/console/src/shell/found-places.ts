import type { AnswerOf } from '@voltdeck/contract/route';
import type { ScreenCode } from '@voltdeck/contract/screens';
import type { FoundKind, searchRecords } from '@voltdeck/contract/search';
import type {
  AgentId,
  CardId,
  CustomerId,
  DividerId,
  GroupId,
  InvoiceId,
  OrderId,
  PartnerId,
  SiteId,
  StationId,
  TariffId,
} from '@voltdeck/units/id';
import { to, toOpen } from '../session/to.ts';
import { findable } from '../ui/is-masked.ts';

export type FoundAnswer = AnswerOf<typeof searchRecords>['kinds'][number];
type Found = FoundAnswer['items'][number];
type FoundTotal = FoundAnswer['totals'][number];
type Place = { screen: ScreenCode; address: string };

/**
 * Where a record of each kind can be shown, best place first: its own page, its row in its list, and then what belongs to
 * it.
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
    { screen: 'plotDetail', address: to('plotDetail', { id: id as SiteId }) },
    { screen: 'plotList', address: to('plotList', { name: number }) },
    { screen: 'home', address: to('home', { site: id }) },
    { screen: 'deviceList', address: to('deviceList', { siteId: id as SiteId }) },
  ],
  card: ({ id, number }) => [
    { screen: 'cardList', address: to('cardList', { number: findable(number) }) },
    { screen: 'orderListHistory', address: to('orderListHistory', { cardId: id as CardId }) },
  ],
  customer: ({ id, number }) => [
    { screen: 'registerUserDetail', address: to('registerUserDetail', { id: id as CustomerId }) },
    { screen: 'registerUser', address: to('registerUser', { phone: findable(number) }) },
    { screen: 'orderListHistory', address: to('orderListHistory', { customerId: id as CustomerId }) },
  ],
  vehicle: ({ number }) => [{ screen: 'vehicleList', address: to('vehicleList', { vin: findable(number) }) }],
  agent: ({ id, number }) => [
    { screen: 'childrenAccount', address: to('childrenAccount', { id: id as AgentId }) },
    { screen: 'operatorList', address: to('operatorList', { realName: number }) },
    { screen: 'deviceList', address: to('deviceList', { agentId: id as AgentId }) },
  ],
  group: ({ id, number }) => [
    { screen: 'groupList', address: to('groupList', { name: number }) },
    { screen: 'groupOrderList', address: to('groupOrderList', { groupId: id as GroupId }) },
  ],
  group_member: ({ number }) => [{ screen: 'userList', address: to('userList', { phone: findable(number) }) }],
  divider: ({ id, number }) => [
    { screen: 'dividerDetail', address: to('dividerDetail', { id: id as DividerId }) },
    { screen: 'accountChildren', address: to('accountChildren', { name: number }) },
  ],
  invoice: ({ id, number }) => [
    { screen: 'invoiceList', address: toOpen('invoiceList', 'open', { of: id as InvoiceId }, { number }) },
  ],
  recharge: atRecharges,
  order_refund: ({ number }) => [{ screen: 'orderListRefund', address: to('orderListRefund', { number }) }],
  recharge_refund: atRecharges,
  withdrawal: ({ number }) => [{ screen: 'refund', address: to('refund', { number }) }],
  agent_withdrawal: ({ number }) => [{ screen: 'tixianRecods', address: to('tixianRecods', { number }) }],
  channel_payment: ({ number }) => [
    { screen: 'chongzhiRecods', address: to('chongzhiRecods', { view: 'channels', number }) },
  ],
  transfer: ({ number }) => [{ screen: 'transferList', address: to('transferList', { number }) }],
  gift: ({ number }) => [{ screen: 'giftList', address: to('giftList', { number }) }],
  partner: ({ id, number }) => [
    { screen: 'supOperatorDetail', address: to('supOperatorDetail', { id: id as PartnerId }) },
    { screen: 'supOperatorList', address: to('supOperatorList', { name: number }) },
  ],
  partner_charge: ({ number }) => [{ screen: 'hlhtOrderList', address: to('hlhtOrderList', { sequence: number }) }],
  roaming_charge: ({ number }) => [
    { screen: 'hlhtOrderList', address: to('hlhtOrderList', { view: 'roaming', sequence: number }) },
  ],
  tariff: ({ id, number }) => [
    { screen: 'rulesDetail', address: to('rulesDetail', { id: id as TariffId }) },
    { screen: 'rulesList', address: to('rulesList', { name: number }) },
  ],
  user: ({ number }) => [{ screen: 'user', address: to('user', { text: findable(number) }) }],
  position: ({ number }) => [{ screen: 'role', address: to('role', { name: number }) }],
  article: ({ number }) => [{ screen: 'newsList', address: to('newsList', { title: number }) }],
  config: ({ number }) => [{ screen: 'configList', address: to('configList', { key: number }) }],
};

/** The recharge itself, or that of a refund. */
function atRecharges({ number }: Found): readonly Place[] {
  return [{ screen: 'chongzhiRecods', address: to('chongzhiRecods', { view: 'recharges', number }) }];
}

type MayGo = (screen: ScreenCode) => boolean;

/** The first screen that can show a found record and may be opened, with its address; null if there is none. */
export function placeOfFound(kind: FoundKind, found: Found, mayGo: MayGo): Place | null {
  return placesOf[kind](found).find(({ screen }) => mayGo(screen)) ?? null;
}

/** The address of the list filtered to all matches; null if the list may not be opened. */
export function listOfFound({ list, filter }: FoundTotal, text: string, mayGo: MayGo): string | null {
  return mayGo(list) ? to(list, { [filter]: text }) : null;
}
