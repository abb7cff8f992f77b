import { type Agent, type AgentRecharge, deleteAgent, unfreezeAgent } from '@voltdeck/contract/agents';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { isPlatform } from '../session/reach.ts';
import type { Session } from '../session/session.ts';
import { moneyText } from '../ui/figures.ts';
import { asking, auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';
import { withWords } from '../words.ts';

/** Lazy: most visits to a list never open them. */
const AgentFormDrawer = lazyPart(() => import('./AgentFormDrawer.tsx'));
const FreezeAgentForm = lazyPart(() => import('./FreezeAgentForm.tsx'));
const HandOverForm = lazyPart(() => import('./HandOverForm.tsx'));
const RechargeAgentForm = lazyPart(() => import('./RechargeAgentForm.tsx'));
const ResetAgentForm = lazyPart(() => import('./ResetAgentForm.tsx'));
const PasswordOnce = lazyPart(withWords(['users'], () => import('../access/users/PasswordOnce.tsx')));

/** An agent's people leave their own one to the platform and the agent above it. */
const notOwn = ({ id }: Agent, { user }: Session) => (user.busiid === id ? phrase('error.agent.own') : undefined);

/** Acts on an agent, on its own page; a deleted one has nothing left to show there. */
export function actsOfPage(onDeleted?: () => void): Acts<Agent> {
  return {
    edit: {
      on: 'row',
      label: 'agents.edit',
      may: 'agent.edit',
      because: notOwn,
      overlay: (agent, over) => (
        <AgentFormDrawer
          agent={agent}
          {...formIn(over, ({ realName }: Agent) => phrase('agents.saved', { name: realName }))}
        />
      ),
    },
    recharge: {
      on: 'row',
      label: 'agents.recharge',
      may: 'agent.recharge',
      // Only the platform knows whether the money arrived.
      isFor: (_, session) => isPlatform(session),
      overlay: (agent, over) => (
        <RechargeAgentForm
          agent={agent}
          {...formIn(over, ({ agentName, amountFen, balanceAfterFen }: AgentRecharge) =>
            phrase('agents.recharged', {
              name: agentName,
              amount: moneyText(amountFen),
              after: moneyText(balanceAfterFen),
            }),
          )}
        />
      ),
    },
    handOver: {
      on: 'row',
      label: 'agents.handOver',
      may: 'agent.hand_over',
      overlay: (agent, { open, close, tell }) => (
        <HandOverForm agent={agent} open={open} onClose={close} onHanded={tell} />
      ),
    },
    reset: {
      on: 'row',
      label: 'agents.reset',
      may: 'agent.reset_password',
      because: (agent, session) =>
        notOwn(agent, session) ?? (agent.userId === null ? phrase('error.agent.no_account') : undefined),
      overlay: (agent, { open, close, show, tell }) => (
        <ResetAgentForm
          agent={agent}
          open={open}
          onClose={close}
          onReset={(password) => {
            tell(phrase('agents.resetDone', { name: agent.realName }));
            show('password', [agent], password);
          }}
        />
      ),
    },
    /** Shown once, to whoever added the agent or reset its password. */
    password: {
      on: 'row',
      label: 'agents.reset',
      may: ['agent.edit', 'agent.reset_password'],
      isQuiet: true,
      overlay: ({ loginName, realName }, { open, close, carried }) =>
        typeof carried === 'string' ? (
          <PasswordOnce userName={loginName ?? ''} realName={realName} password={carried} open={open} onClose={close} />
        ) : null,
    },
    freeze: {
      on: 'row',
      label: 'agents.freeze',
      may: 'agent.freeze',
      danger: true,
      isFor: ({ state }) => state === 'normal',
      because: notOwn,
      overlay: (agent, over) => (
        <FreezeAgentForm
          agent={agent}
          {...formIn(over, ({ realName }: Agent) => phrase('agents.frozenNow', { name: realName }))}
        />
      ),
    },
    unfreeze: {
      ...asking<Agent>({
        label: 'agents.unfreeze',
        may: 'agent.freeze',
        because: notOwn,
        question: ({ realName: name }) => phrase('agents.unfreezeQuestion', { name }),
        details: 'agents.unfreezeDetails',
        act: ({ id }, idempotencyKey) => call(unfreezeAgent, { params: { id }, idempotencyKey }),
        told: ({ realName: name }) => phrase('agents.unfrozenNow', { name }),
        isFor: ({ state }) => state === 'frozen',
      }),
    },
    delete: deletion({
      label: 'agents.delete',
      may: 'agent.delete',
      because: notOwn,
      question: ({ realName: name }) => phrase('agents.deleteQuestion', { name }),
      details: ({ loginName }) => phrase('agents.deleteDetails', { loginName: loginName ?? '' }),
      act: async ({ id }, idempotencyKey) => {
        await call(deleteAgent, { params: { id }, idempotencyKey });
        onDeleted?.();
      },
      told: ({ realName: name }) => phrase('agents.deleted', { name }),
    }),
    withdrawals: {
      on: 'row',
      label: 'agents.withdrawals',
      may: 'agent_withdrawal.read',
      leads: ({ id: agentId }) => place('tixianRecods', { agentId }),
    },
    audit: auditOf('agent'),
  };
}

/** Those of the list, which also leads to what the page shows itself. */
export const agentActs: Acts<Agent> = {
  ...actsOfPage(),
  subordinates: {
    on: 'row',
    label: 'agents.showSubordinates',
    isFor: ({ subordinates }) => subordinates > 0,
    leads: ({ id: parentId }) => place('operatorList', { parentId }),
  },
  staff: { on: 'row', label: 'agents.showStaff', leads: ({ id: agentId }) => place('user', { agentId }) },
  stations: { on: 'row', label: 'agents.showStations', leads: ({ id: agentId }) => place('deviceList', { agentId }) },
};
