import { getSettlementPeriod, listSettlementPeriods } from '@voltdeck/contract/settlements';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents, seesDividers } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { settlementTones } from '../ui/state-colours.ts';
import { settlementActs } from './settlement-acts.tsx';

const filters: Filters<typeof listSettlementPeriods> = {
  party: {},
  agentId: { title: 'settlements.agent', may: seesAgents },
  dividerId: { title: 'settlements.divider', may: seesDividers },
  state: {},
  from: { title: 'settlements.days' },
  ended: { title: 'settlements.ended' },
  failed: { title: 'settlements.failed' },
};

const look: ListPageProps<typeof listSettlementPeriods>['look'] = {
  partyName: { widthPx: 200, isPinned: true, link: ({ id }) => place('settlementDetail', { id }) },
  party: { widthPx: 88 },
  state: {
    widthPx: 104,
    render: ({ state }) => <StateTag tone={settlementTones[state]}>{phrase(`settlement-state.${state}`)}</StateTag>,
  },
  orders: { widthPx: 88 },
  fromOn: { widthPx: 112 },
  toOn: { widthPx: 112 },
  sharesFen: { widthPx: 120 },
  netFen: { widthPx: 120, isKeyFact: true },
  paidOutFen: { widthPx: 120 },
  failure: { widthPx: 220 },
  closedByName: { isHidden: true },
  paidOutByName: { isHidden: true },
};

/** What is owed and was paid comes before how it came about, so that it is seen without scrolling. */
const columns = [
  'partyName',
  'state',
  'fromOn',
  'toOn',
  'sharesFen',
  'netFen',
  'paidOutFen',
  'carriedInFen',
  'party',
  'orders',
  'cycle',
  'settlesItself',
  'closedAt',
  'closedByName',
  'paidOutAt',
  'paidOutByName',
  'failure',
] as const;

/** What agents and dividers are owed by day, week or month, closed and paid out; /settlementList. */
export default function SettlementListPage() {
  return (
    <ListPage
      list={listSettlementPeriods}
      title="settlements.title"
      record="settlements.period"
      filters={filters}
      columns={columns}
      look={look}
      acts={settlementActs}
      one={getSettlementPeriod}
      empty={{ title: 'settlements.empty', text: 'settlements.emptyText' }}
    />
  );
}
