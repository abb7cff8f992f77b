import { type CardUse, listCardUses } from '@voltdeck/contract/card-uses';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { findable } from '../ui/is-masked.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { orderTones } from '../ui/state-colours.ts';

const filters: Filters<typeof listCardUses> = {
  cardNumber: {},
  phone: { title: 'cardUses.phone' },
  stationNumber: {},
  siteId: { title: 'cardUses.site' },
  from: { title: 'cardUses.placedAt' },
  state: {},
  agentId: { title: 'cardUses.agent', may: seesAgents },
  customerId: { title: 'cardUses.holder' },
};

const look: ListPageProps<typeof listCardUses>['look'] = {
  orderNumber: { widthPx: 220, isPinned: true, link: ({ id }) => place('orderListDetailHistory', { id }) },
  cardNumber: { widthPx: 172, link: ({ cardNumber }) => place('cardList', { number: findable(cardNumber) }) },
  physicalNumber: { widthPx: 196, isHidden: true },
  customerPhone: { widthPx: 136 },
  state: { tone: ({ state }) => orderTones[state] },
  stationNumber: { link: ({ stationId: id }) => place('deviceDetail', { id }) },
  placedAt: { widthPx: 144 },
  customerNickname: { widthPx: 112 },
  amountFen: { widthPx: 104 },
  energyWh: { widthPx: 104, isKeyFact: true },
  paidFen: { widthPx: 104, isKeyFact: true },
  owedFen: { isHidden: true },
  refundedFen: { isHidden: true },
};

const acts: Acts<CardUse> = {};

/** What cards were used for, one row a charge; /useRecods. */
export default function CardUseListPage() {
  return (
    <ListPage
      list={listCardUses}
      title="cardUses.title"
      record="cardUses.use"
      nameOf={({ orderNumber }) => orderNumber}
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'cardUses.empty', text: 'cardUses.emptyText' }}
    />
  );
}
