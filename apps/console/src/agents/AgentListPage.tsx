import { type Agent, getAgent, listAgents } from '@voltdeck/contract/agents';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { ListPage } from '../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { agentTones } from '../ui/state-colours.ts';
import { agentActs } from './agent-acts.tsx';

/** Lazy: most visits to a list never open it. */
const AgentFormDrawer = lazyPart(() => import('./AgentFormDrawer.tsx'));

const filters: Filters<typeof listAgents> = {
  realName: {},
  loginName: {},
  phone: {},
  state: {},
  parentId: { title: 'agents.parent' },
  kind: {},
};

const look: ListPageProps<typeof listAgents>['look'] = {
  realName: { widthPx: 168, isPinned: true, link: ({ id }) => place('childrenAccount', { id }) },
  loginName: { widthPx: 128 },
  phone: { widthPx: 136 },
  state: { widthPx: 96, tone: ({ state }) => agentTones[state] },
  kind: { widthPx: 88 },
  parentName: {
    widthPx: 148,
    link: ({ parentId }) => (parentId === null ? null : place('childrenAccount', { id: parentId })),
  },
  subordinates: {
    widthPx: 96,
    link: ({ id, subordinates }) => (subordinates === 0 ? null : place('operatorList', { parentId: id })),
  },
  sharePercent: { widthPx: 96, isKeyFact: true },
  stationCount: {
    widthPx: 96,
    link: ({ id, stationCount }) => (stationCount === 0 ? null : place('deviceList', { agentId: id })),
  },
  useCount: { widthPx: 96 },
  amountFen: { widthPx: 112 },
  incomeFen: { widthPx: 112, isKeyFact: true },
  unpaidFen: { widthPx: 112 },
  balanceFen: { widthPx: 112 },
  prepaidFen: { widthPx: 112 },
  passwordIsInitial: { widthPx: 96, tone: ({ passwordIsInitial }) => (passwordIsInitial ? 'occupied' : null) },
  address: { isHidden: true },
  contact: { isHidden: true },
  creditCode: { isHidden: true },
  frozenReason: { isHidden: true },
  createdBy: { isHidden: true },
  createdAt: { isHidden: true },
};

const acts: Acts<Agent> = {
  add: {
    on: 'list',
    label: 'agents.add',
    may: 'agent.edit',
    overlay: ({ open, close, show, tell }) => (
      <AgentFormDrawer
        agent={null}
        open={open}
        onClose={close}
        onSaved={(agent, password) => {
          tell(phrase('agents.saved', { name: agent.realName }));
          if (password !== null) show('password', [agent], password);
        }}
      />
    ),
  },
  ...agentActs,
};

/** The withdrawals of agents have no entry in the menu. */
function WithdrawalsLink() {
  const can = useCan();
  return can('agent_withdrawal.read') ? (
    <ScreenLink screen="tixianRecods">{phrase('agents.withdrawals')}</ScreenLink>
  ) : null;
}

/** Agents with their share, what they have and who is above them; /operatorList. */
export default function AgentListPage() {
  return (
    <ListPage
      list={listAgents}
      title="agents.title"
      record="agents.agent"
      nameOf={({ realName }) => realName}
      filters={filters}
      look={look}
      acts={acts}
      one={getAgent}
      tools={<WithdrawalsLink />}
      empty={{ title: 'agents.empty', text: 'agents.emptyText' }}
    />
  );
}
