import { listPriceChanges, type PriceChange } from '@voltdeck/contract/price-changes';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { withWords } from '../words.ts';
import { priceChangeActs } from './price-change-acts.ts';
import { priceChangeTones } from './price-change-words.ts';

const PriceChangeFormDrawer = lazyPart(() => import('./PriceChangeFormDrawer.tsx'));
const RehearsalFormDrawer = lazyPart(withWords(['rehearsals'], () => import('../rehearsals/RehearsalFormDrawer.tsx')));

/** Minimum interval between fetches while stations take a change. */
const askGapMs = 2_000;

const filters: Filters<typeof listPriceChanges> = {
  name: {},
  state: {},
  ruleId: { title: 'priceChanges.rule' },
  from: { title: 'priceChanges.effectiveAt' },
  agentId: { title: 'priceChanges.agent', may: seesAgents },
};

const look: ListPageProps<typeof listPriceChanges>['look'] = {
  name: { widthPx: 200, isPinned: true, link: ({ id }) => place('priceChangeDetail', { id }) },
  state: { widthPx: 132, tone: ({ state }) => priceChangeTones[state] },
  ruleName: { widthPx: 180 },
  slots: { widthPx: 160 },
  version: { isHidden: true },
  effectiveAt: { isExact: true, isKeyFact: true },
  agentName: { widthPx: 140 },
  remark: { widthPx: 200 },
  createdBy: { isHidden: true },
  createdAt: { isHidden: true },
  appliedAt: { isHidden: true },
};

const acts: Acts<PriceChange> = {
  add: {
    on: 'list',
    label: 'priceChanges.add',
    may: 'price_change.edit',
    overlay: ({ open, close, tell }) => (
      <PriceChangeFormDrawer
        open={open}
        onClose={close}
        onSaved={({ name, stations }) => tell(phrase('priceChanges.saved', { name, count: stations }))}
      />
    ),
  },
  rehearse: {
    on: 'row',
    label: 'priceChanges.rehearse',
    may: 'tariff.rehearse',
    overlay: (change, { open, close }) => (
      <RehearsalFormDrawer rule={{ id: change.ruleId, name: change.ruleName }} open={open} onClose={close} />
    ),
  },
  ...priceChangeActs,
};

/** Scheduled price changes, each with what became of its stations; /rules/changes. */
export default function PriceChangeListPage() {
  const refresh = useRefresh();
  const askAgain = usePaced(() => void refresh(listPriceChanges), askGapMs);
  useConsoleEvents('price-change-changed', askAgain);
  return (
    <ListPage
      list={listPriceChanges}
      title="priceChanges.title"
      record="priceChanges.one"
      nameOf={({ name }) => name}
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'priceChanges.empty', text: 'priceChanges.emptyText' }}
    />
  );
}
