import { getTariff, listTariffs, type Tariff as Rule } from '@voltdeck/contract/tariffs';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { withWords } from '../words.ts';
import type { RuleTask } from './RuleFormDrawer.tsx';
import { notOwn, ruleActs } from './rule-acts.tsx';
import { savedText } from './saved-text.ts';

/** Lazy: most visits to a list never open it. */
const RuleFormDrawer = lazyPart(() => import('./RuleFormDrawer.tsx'));
const RehearsalFormDrawer = lazyPart(withWords(['rehearsals'], () => import('../rehearsals/RehearsalFormDrawer.tsx')));

const filters: Filters<typeof listTariffs> = {
  name: {},
  kind: {},
  agentId: { title: 'tariffs.agent', may: seesAgents },
  default: { title: 'tariffs.defaultFilter', words: 'tariff-default' },
  inUse: { title: 'tariffs.inUse' },
};

const look: ListPageProps<typeof listTariffs>['look'] = {
  name: { widthPx: 220, isPinned: true, link: ({ id }) => place('rulesDetail', { id }) },
  kind: { widthPx: 150 },
  platformDefaultFor: { widthPx: 120 },
  agentDefaultFor: { widthPx: 110 },
  stationCount: { isKeyFact: true },
  note: { isHidden: true, widthPx: 240 },
};

function formOf(task: RuleTask, over: OverlayProps<Rule>) {
  return <RuleFormDrawer task={task} {...formIn(over, savedText)} />;
}

const acts: Acts<Rule> = {
  add: { on: 'list', label: 'tariffs.add', may: 'tariff.edit', overlay: (over) => formOf({ kind: 'add' }, over) },
  edit: {
    on: 'row',
    label: 'tariffs.edit',
    may: 'tariff.edit',
    because: notOwn,
    overlay: (rule, over) => formOf({ kind: 'edit', rule }, over),
  },
  copy: {
    on: 'row',
    label: 'tariffs.copy',
    may: 'tariff.edit',
    overlay: (rule, over) => formOf({ kind: 'copy', rule }, over),
  },
  rehearse: {
    on: 'row',
    label: 'tariffs.rehearse',
    may: 'tariff.rehearse',
    overlay: ({ id, name }, { open, close }) => <RehearsalFormDrawer rule={{ id, name }} open={open} onClose={close} />,
  },
  ...ruleActs(),
};

/** Billing rules: how charges are priced; /rules/list. */
export default function RuleListPage() {
  return (
    <ListPage
      list={listTariffs}
      title="tariffs.title"
      record="tariffs.rule"
      nameOf={({ name }) => phrase('tariffs.ruleNamed', { name })}
      filters={filters}
      look={look}
      acts={acts}
      one={getTariff}
      empty={{ title: 'tariffs.empty', text: 'tariffs.emptyText' }}
    />
  );
}
